"""Random kernels of regular and less regular addresses, guards and loops, each with a launch."""

from hypothesis import strategies as st

TYPES = {1: "unsigned char", 2: "short", 4: "float", 8: "double", 16: "float4"}

INDEX = st.sampled_from(
    [
        "i * {a} + {b}",
        "(i + {b}) % {m}",
        "i / {d} * {a}",
        "threadIdx.x * {a} + blockIdx.x * {b} + threadIdx.y",
        "(i ^ {b}) + {a}",
        "(i & {b}) * {a}",
        "(i >> 2) * {a} + (i & 3)",
        "col * {a} + row",
        "row * 64 + col",
        "(row * 64 + col) / {d}",
        "(i * {a}) % {m}",
        "blockIdx.y * {a} + threadIdx.x % {d}",
        "i < {m} ? i : {b}",
        "min(i, {m})",
        "(blockIdx.x % 2) * 32 + threadIdx.x",
        "k * {a} + i",
        "i + k * {m}",
        "(k * 32 + threadIdx.x) * {a}",
        "k % {d} * 32 + threadIdx.x",
    ]
)

GUARD = st.sampled_from(
    [
        "",
        "if (i < {m}) ",
        "if (col < {m} && row < {d}) ",
        "if (threadIdx.x % {d} == 0) ",
        "if (threadIdx.x >= {d}) ",
        "if (i % 2 == 0 || i > {m}) ",
        "if (!(row == {d})) ",
        "if (blockIdx.x == 1) ",
        "if (k * 32 + threadIdx.x < {m}) ",
        "if (i >= {b} && i < {m}) ",
        "if ((i & 1) == 0) ",
    ]
)

LOOP = st.sampled_from(
    [
        "for (int k = 0; k < {n}; k++)",
        "for (int k = {n}; k > 0; k--)",
        "for (int k = 0; k < {n}; k += 2)",
        "for (int k = 1; k < {n}; k *= 2)",
        "for (int k = i; k < {m}; k += 64)",
        "for (int k = 0; k <= (int)threadIdx.x % {n}; k++)",
        "for (int k = 0; k < (int)blockIdx.x; k++)",
        "for (int k = threadIdx.x; k < {n} * 16; k += blockDim.x)",
    ]
)


@st.composite
def launches(draw):
    numbers = {
        "a": draw(st.integers(0, 9)),
        "b": draw(st.integers(0, 40)),
        "m": draw(st.integers(1, 300)),
        "d": draw(st.integers(1, 9)),
        "n": draw(st.integers(0, 9)),
    }
    size = draw(st.sampled_from(list(TYPES)))
    load, store, guard, loop = (draw(s).format(**numbers) for s in (INDEX, INDEX, GUARD, LOOP))
    shared = draw(st.booleans())
    text = f"""
__global__ void k(const {TYPES[size]} *in, {TYPES[size]} *out) {{
    __shared__ {TYPES[size]} tile[2048];
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    int i = row * 16 + col;
    {loop} {{
        {guard}{"tile[(" + store + ") & 2047]" if shared else "out[" + store + "]"} = in[{load}];
        {"__syncthreads();" if not guard and "threadIdx" not in loop and "blockIdx" not in loop and "= i" not in loop else ""}
        if (threadIdx.x < 7) out[i] = {"tile[i & 2047]" if shared else "in[i]"};
    }}
}}"""
    block = draw(
        st.sampled_from([(32, 1), (16, 16), (8, 4), (33, 1), (100, 1), (1, 32), (7, 5), (64, 2), (4, 8)])
    )
    grid = draw(st.sampled_from([(1, 1), (3, 1), (2, 2), (5, 3), (1, 4)]))
    return text, size, grid, block
