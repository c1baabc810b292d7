def kernel(m, A_1, B_2, C_3, N_4):
    blockIdx_x = m.special(K2)
    blockDim_x = m.special(K3)
    threadIdx_x = m.special(K4)
    blockIdx_y = m.special(K5)
    blockDim_y = m.special(K6)
    threadIdx_y = m.special(K7)
    gone = False
    col_5 = i32(u32(u32(blockIdx_x * blockDim_x) + threadIdx_x))
    row_6 = i32(u32(u32(blockIdx_y * blockDim_y) + threadIdx_y))
    m1, m2 = m.split(S1, True, both((row_6 < N_4), (col_5 < N_4)))
    if m1 is not False:
        sum_7 = K0
        k_8 = 0
        m4 = m1
        out5 = False
        while True:
            m4 = m.loop(S2, m4, (k_8 < N_4))
            if m4 is False: break
            t8 = (sum_7 + times(m.load(S3, A_1, i32(i32(row_6 * N_4) + k_8), m4), m.load(S4, B_2, i32(i32(k_8 * N_4) + col_5), m4)))
            sum_7 = t8 if m4 is m1 else m.merge(m4, t8, sum_7, D_f)
            m.arith(S5, m4)
            k_8 = i32(k_8 + 1)
        m.store(S6, C_3, i32(i32(row_6 * N_4) + col_5), sum_7, m1)
    return
    yield
