"""Built-in functions on whole numbers and bits: each gives what its definition says, also where one thread asks."""

import numpy as np
import pytest

import gpusim as gs

X = [0, 1, 2, 0x80, 0xFFFF, 0x1234ABCD, 0x80000000, 0xFFFFFFFF]
Y = [1, 0xFFFFFFFF, 7, 0x01020304, 0x80000001, 0xDEADBEEF, 3, 0xFFFFFFFF]
WORD = 0xFFFFFFFF


def bytes_of(word):
    return [word >> 8 * k & 0xFF for k in range(4)]


def signed(byte):
    return byte - 256 if byte > 127 else byte


def permuted(x, y, selector):
    eight = bytes_of(x) + bytes_of(y)
    return sum(eight[selector >> 4 * k & 7] << 8 * k for k in range(4))


# expression of two unsigned words -> what it means, as Python's whole numbers have it
MEANING = {
    "__popc(x)": lambda x, y: x.bit_count(),
    "__brev(x)": lambda x, y: int(f"{x:032b}"[::-1], 2),
    "__clz((int)x)": lambda x, y: 32 - x.bit_length(),
    "__ffs((int)x)": lambda x, y: (x & -x).bit_length(),
    "__umulhi(x, y)": lambda x, y: x * y >> 32,
    "__funnelshift_l(x, y, 5)": lambda x, y: (y << 5 | x >> 27) & WORD,
    "__funnelshift_r(x, y, 5)": lambda x, y: (x >> 5 | y << 27) & WORD,
    "__byte_perm(x, y, 0x3715)": lambda x, y: permuted(x, y, 0x3715),
    "__dp4a((int)x, (int)y, 9)": lambda x, y: (
        9 + sum(signed(a) * signed(b) for a, b in zip(bytes_of(x), bytes_of(y), strict=True))
    ),
    "__float_as_uint(__uint_as_float(x & 0x7f7fffff))": lambda x, y: x & 0x7F7FFFFF,
    "umin(x, y)": min,
}


@pytest.mark.parametrize("expression", MEANING)
@pytest.mark.parametrize("threads", [1, len(X)])
def test_a_function_gives_what_its_definition_says(expression, threads):
    text = f"""__global__ void k(const unsigned *a, const unsigned *b, unsigned *out) {{
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        unsigned x = a[i], y = b[i];
        out[i] = {expression};
    }}"""
    out = gs.zeros(len(X), np.uint32)
    gs.cuda(text).k[len(X) // threads, threads](
        gs.asarray(np.array(X, np.uint32)), gs.asarray(np.array(Y, np.uint32)), out
    )
    wanted = [MEANING[expression](x, y) & WORD for x, y in zip(X, Y, strict=True)]
    assert gs.asnumpy(out).tolist() == wanted
