// real GPU only: each block notes the SM that runs it
// and the time of its start and end in nanoseconds.
__global__ void block_trace(int *sm, long long *start, long long *end, int cycles) {
    long long t0 = clock64();
    long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    while (clock64() - t0 < cycles) {
    }
    if (threadIdx.x == 0) {
        int id;
        asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
        sm[blockIdx.x] = id;
        start[blockIdx.x] = now;
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
        end[blockIdx.x] = now;
    }
}
