// Nothing at all: what is left is the cost of a launch.
__global__ void empty() {
}
