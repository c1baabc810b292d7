def kernel(m, in_1, bins_2, n_3):
    threadIdx_x = m.special(K3)
    gridDim_x = m.special(K4)
    blockDim_x = m.special(K5)
    blockIdx_x = m.special(K6)
    gone = False
    mine_4 = m.shared(K0, 1024)
    m.store(S1, mine_4, threadIdx_x, 0, True)
    yield m.barrier(S2, True, gone)
    step_5 = i32(u32(gridDim_x * blockDim_x))
    i_6 = i32(u32(u32(blockIdx_x * blockDim_x) + threadIdx_x))
    m1 = True
    out2 = False
    m.begin(S3)
    while True:
        m1 = m.loop(S3, m1, (i_6 < n_3))
        if m1 is False: break
        m.atomic(S5, K1, mine_4, m.load(S4, in_1, i_6, m1), [1], m1, False)
        i_6 = i32(i_6 + step_5)
    yield m.barrier(S6, True, gone)
    m.atomic(S8, K2, bins_2, threadIdx_x, [m.load(S7, mine_4, threadIdx_x, True)], True, False)
    return
    yield
