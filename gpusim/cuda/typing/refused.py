"""What is CUDA C++ but not run by gpusim: what a message calls it, and what to write instead."""

REFUSED = {
    "goto": ('"goto" is', "use a loop with break or continue, or an early return"),
    "asm": ("inline PTX is", "write it in CUDA C; PTX runs on a real GPU only"),
    "new": ('device "new" is', "allocate on the host and pass a pointer, or use a local or __shared__ array"),
    "delete": ('device "delete" is', "allocate on the host and pass a pointer"),
    "malloc": (
        "device malloc is",
        "allocate on the host and pass a pointer, or use a local or __shared__ array",
    ),
    "free": ("device free is", "allocate on the host and pass a pointer"),
    "virtual": ("virtual functions are", "use a template, or a switch over an int"),
    "dynamic_cast": ("dynamic_cast is", "device code has no run-time type information"),
    "typeid": ("typeid is", "device code has no run-time type information"),
    "try": ("exceptions are", "return an error code, or use assert"),
    "throw": ("exceptions are", "return an error code, or use assert"),
    "tex1D": ("textures are", "read the array through a const pointer, const float* __restrict__"),
    "surf2Dread": ("surfaces are", "use a plain pointer"),
    "grid": (
        "grid-wide synchronisation is",
        "end the kernel and launch the next one: a launch waits for all blocks",
    ),
    "launch": (
        "dynamic parallelism (a launch from device code) is",
        "launch the second kernel from the host",
    ),
    "recursion": ("recursion is", "write it as a loop, with a local array as the stack"),
    "function pointers": ("function pointers are", "use a template parameter or a switch"),
    "inheritance": ("inheritance is", "put the base's fields into the struct"),
    "range for": ("a range-based for is", "write for (int i = 0; i < n; i++)"),
    "label": ("labels are", "use a loop with break or continue"),
    "static local": ("a static local variable is", "use a __device__ variable at file scope"),
}
REFUSED["__asm__"] = REFUSED["__asm"] = REFUSED["asm"]
REFUSED["catch"] = REFUSED["try"]
for _name in (
    "tex1Dfetch tex2D tex3D tex2DLod tex1DLayered tex2DLayered texture cudaTextureObject_t "
    "cudaReadModeElementType"
).split():
    REFUSED[_name] = REFUSED["tex1D"]
for _name in "surf1Dread surf1Dwrite surf2Dwrite surf3Dread surf3Dwrite cudaSurfaceObject_t surface".split():
    REFUSED[_name] = REFUSED["surf2Dread"]
for _name in (
    "cudaDeviceSynchronize cudaLaunchDevice cudaMalloc cudaFree cudaMemcpy cudaGetLastError "
    "cudaStreamCreateWithFlags"
).split():
    REFUSED[_name] = (
        f'calling "{_name}" from device code is',
        "call it on the host; gpusim's host side is Python",
    )
for _name in "erfinv erfcinv erfcx normcdfinv j0 j1 y0 y1".split():
    REFUSED[_name] = REFUSED[_name + "f"] = (f'"{_name}" is', "compute a table on the host")
for _name in "curand_init curand curand_uniform curand_normal curandState curandState_t".split():
    REFUSED[_name] = (
        "cuRAND is",
        "fill an array with random numbers on the host, or write a small generator",
    )

REFUSED_NAMESPACES = {
    "cub": (
        "this part of CUB is",
        "BlockReduce, BlockScan, BlockLoad, BlockStore, WarpReduce and WarpScan run, from #include <cub/cub.cuh>",
    ),
    "thrust": ("Thrust is", "write the kernel itself; host-side Thrust calls are NumPy calls here"),
    "cutlass": ("CUTLASS is", "write the tiled kernel itself"),
    "cute": ("CuTe is", "compute the indices in CUDA C"),
    "mma": (
        "this interface to the tensor cores is",
        "wmma with fragments of 16 x 16 x 16, half factors and half or float accumulators runs here",
    ),
    "ptx": ("inline PTX is", "write it in CUDA C; PTX runs on a real GPU only"),
}

# Names that something else must bring in.
NEEDED = {"wmma": "write using namespace nvcuda; above the kernel, or nvcuda::wmma"} | dict.fromkeys(
    "__nv_bfloat16 nv_bfloat16 __nv_bfloat162 nv_bfloat162 __float2bfloat16 __bfloat162float".split(),
    "write #include <cuda_bf16.h> above the kernel",
)
