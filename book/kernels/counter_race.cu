// Every thread reads the counter, adds one, writes it back: most of the additions are lost.
__global__ void counter_race(int *counter) {
    counter[0] = counter[0] + 1;
}
