def kernel(m, a_1, n_2):
    blockIdx_x = m.special(K2)
    blockDim_x = m.special(K3)
    threadIdx_x = m.special(K4)
    gone = False
    i_3 = i32(u32(u32(blockIdx_x * blockDim_x) + threadIdx_x))
    m1, m2 = m.split(S1, True, (i_3 >= n_2))
    if m1 is not False:
        gone = m.join(gone, m1)
    m4 = m.without(True, gone)
    if m4 is not False:
        x_4 = m.load(S2, a_1, i_3, m4)
        most_6 = K0
        gone6 = False
        m7, m8 = m.split(S3, m4, (x_4 < most_6))
        if m7 is not False:
            gone6 = m.join(gone6, m7)
        m10 = m.without(m4, gone6)
        if m10 is not False:
            x_4 = most_6 if m10 is m4 else m.merge(m10, most_6, x_4, D_f)
        m.store(S4, a_1, i_3, x_4, m4)
    return
    yield
