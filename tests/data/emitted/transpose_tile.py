def kernel(m, in_1, out_2, rows_3, cols_4):
    threadIdx_x = m.special(K1)
    threadIdx_y = m.special(K2)
    blockIdx_x = m.special(K3)
    blockIdx_y = m.special(K4)
    gone = False
    tile_5 = m.shared(K0, 4096)
    tx_6 = i32(threadIdx_x)
    ty_7 = i32(threadIdx_y)
    x_8 = i32(u32(u32(blockIdx_x * 32) + u32(tx_6)))
    y_9 = i32(u32(u32(blockIdx_y * 32) + u32(ty_7)))
    m.store(S2, tile_5, i64(ty_7 * 32 + tx_6), m.load(S1, in_1, i32(i32(y_9 * cols_4) + x_8), True), True)
    yield m.barrier(S3, True, gone)
    x_8 = i32(u32(u32(blockIdx_y * 32) + u32(tx_6)))
    y_9 = i32(u32(u32(blockIdx_x * 32) + u32(ty_7)))
    m.store(S5, out_2, i32(i32(y_9 * rows_3) + x_8), m.load(S4, tile_5, i64(tx_6 * 32 + ty_7), True), True)
    return
    yield
