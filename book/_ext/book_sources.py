"""Titles of sources, in italics in the text, lead to where they can be read; books and papers behind a wall stay plain."""

from docutils import nodes

CUDA = "https://docs.nvidia.com/cuda/"
BLOG = "https://developer.nvidia.com/blog/"
ADDRESSES = {
    "CUDA C++ Programming Guide": CUDA + "cuda-c-programming-guide/",
    "CUDA C++ Best Practices Guide": CUDA + "cuda-c-best-practices-guide/",
    "PTX ISA": CUDA + "parallel-thread-execution/",
    "cuBLAS library": CUDA + "cublas/",
    "Compute Sanitizer": "https://docs.nvidia.com/compute-sanitizer/ComputeSanitizer/",
    "Nsight Compute": "https://docs.nvidia.com/nsight-compute/ProfilingGuide/",
    "An Efficient Matrix Transpose in CUDA C/C++": BLOG + "efficient-matrix-transpose-cuda-cc/",
    "How to Access Global Memory Efficiently in CUDA C/C++ Kernels": BLOG
    + "how-access-global-memory-efficiently-cuda-c-kernels/",
    "CUTLASS: fast linear algebra in CUDA C++": BLOG + "cutlass-linear-algebra-cuda/",
    "CUTLASS": BLOG + "cutlass-linear-algebra-cuda/",
    "CUTLASS documentation": "https://github.com/NVIDIA/cutlass/blob/main/media/docs/efficient_gemm.md",
    "Optimizing parallel reduction in CUDA": "https://developer.download.nvidia.com/assets/cuda/files/reduction.pdf",
    "Better performance at lower occupancy": "https://www.nvidia.com/content/GTC-2010/pdfs/2238_GTC2010.pdf",
    "How to optimize a CUDA matmul kernel for cuBLAS-like performance": "https://siboehm.com/articles/22/CUDA-MMM",
    "How to optimize a CUDA matmul kernel": "https://siboehm.com/articles/22/CUDA-MMM",
    "Roofline: an insightful visual performance model": "https://doi.org/10.1145/1498765.1498785",
    "Accelerating sparse deep neural networks": "https://arxiv.org/abs/2104.08378",
    "Basic linear algebra subprograms": "https://doi.org/10.1145/355841.355847",
    "FlashAttention": "https://arxiv.org/abs/2205.14135",
    "Triton": "https://doi.org/10.1145/3315508.3329973",
}
PLAIN = {  # no open address is known to us
    "Programming Model",
    "Programming Massively Parallel Processors",
    "H100 Tensor Core GPU architecture",
    "Efficient sparse matrix-vector multiplication on CUDA",
}
FOLDED = {title.casefold(): address for title, address in ADDRESSES.items()}


def link(app, doctree, here):
    """Turn each title of the table into a link; a reader without a network sees the same words."""
    for title in list(doctree.findall(nodes.emphasis)):
        address = FOLDED.get(title.astext().casefold())
        if address and not isinstance(title.parent, nodes.reference):
            reference = nodes.reference("", "", refuri=address)
            title.replace_self(reference)
            reference += title


def setup(app):
    app.connect("doctree-resolved", link, priority=400)  # before terms are linked: no link in a link
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
