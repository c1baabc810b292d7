def kernel(m, in_1, out_2):
    threadIdx_x = m.special(K3)
    blockIdx_x = m.special(K4)
    blockDim_x = m.special(K5)
    gone = False
    sdata_3 = m.shared(K0, 1024)
    tid_4 = threadIdx_x
    i_5 = u32(u32(blockIdx_x * u32(2 * blockDim_x)) + tid_4)
    m.store(S3, sdata_3, tid_4, (m.load(S1, in_1, i_5, True) + m.load(S2, in_1, u32(i_5 + blockDim_x), True)), True)
    yield m.barrier(S4, True, gone)
    s_6 = divide(blockDim_x, 2, u32)
    m1 = True
    out2 = False
    m.begin(S5)
    while True:
        m1 = m.loop(S5, m1, (s_6 > 32))
        if m1 is False: break
        m5, m6 = m.split(S6, m1, (tid_4 < s_6))
        if m5 is not False:
            m.store(S9, sdata_3, tid_4, (m.load(S7, sdata_3, tid_4, m5) + m.load(S8, sdata_3, u32(tid_4 + s_6), m5)), m5)
        yield m.barrier(S10, m1, gone)
        s_6 = shift_right(s_6, 1, 32, u32)
    m8, m9 = m.split(S11, True, (tid_4 < 32))
    if m8 is not False:
        v_7 = (m.load(S12, sdata_3, tid_4, m8) + m.load(S13, sdata_3, u32(tid_4 + 32), m8))
        d_8 = 16
        m11 = m8
        out12 = False
        m.begin(S14)
        while True:
            m11 = m.loop(S14, m11, (d_8 > 0))
            if m11 is False: break
            t15 = m.shuffle(S15, K1, v_7, u32(d_8), 32, m11, D_f, 4294967295, gone)
            t16 = (v_7 + t15)
            v_7 = t16 if m11 is m8 else m.merge(m11, t16, v_7, D_f)
            d_8 = divide(d_8, 2, i32)
        m17, m18 = m.split(S16, m8, (tid_4 == 0))
        if m17 is not False:
            m.store(S17, out_2, blockIdx_x, v_7, m17)
    return
    yield
