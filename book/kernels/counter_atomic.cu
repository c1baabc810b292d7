// The read, the addition and the write as one step that no other thread can split.
__global__ void counter_atomic(int *counter) {
    atomicAdd(&counter[0], 1);
}
