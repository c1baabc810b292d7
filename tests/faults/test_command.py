"""The command: what is wrong with an option is told in one line, and a suggested command line runs as it stands."""

import shlex

import numpy as np
import pytest

from gpusim.__main__ import main

KERNEL = "__global__ void k(int *o) { o[0] = 1; }"


@pytest.fixture
def file(tmp_path):
    def write(text):
        path = tmp_path / "k.cu"
        path.write_text(text)
        return str(path)

    return write


@pytest.mark.parametrize(
    "options",
    [
        "--grid 1 --block 1 --arg @EMPTY",
        "--grid 1 --block 1 --arg @SEVERAL",
        "--grid 1 --block 1 --arg @nowhere.npy",
        "--grid 1 --block 1 --arg int:1e300",
        "--grid 1 --block 1 --arg int:4+5",
        "--grid 1 --block 1 --arg int:4:ice",
        "--grid 1 --block 1 --arg int:4 --registers -5",
        "--grid 1 --block 1 --arg int:4 --registers 0",
        "--grid 1 --block 1 --arg int:4 --registers 300",
        "--grid 1 --block 1 --arg int:4 --registers many",
        "--grid 1 --block 1 --arg int:4 --seed -3",
        "--grid 1 --block 1 --arg int:4 --shared -1",
        "--grid 1 --block 1 --arg int:4 --gpu abacus",
        "--grid 1 --block 1 --arg int:4 --colour red",
        "--grid 1x1x1x1 --block 1 --arg int:4",
        "--grid 1 --arg int:4",
        "--grid",
        "--html page.html",
    ],
)
def test_a_wrong_option_is_told_in_one_line(file, tmp_path, capsys, options):
    (tmp_path / "empty.npy").write_bytes(b"")
    np.savez(tmp_path / "several.npz", a=[1], b=[2])
    words = options.replace("EMPTY", str(tmp_path / "empty.npy")).replace(
        "SEVERAL", str(tmp_path / "several.npz")
    )
    try:
        code = main([file(KERNEL), *words.split()])
    except SystemExit as left:
        code = left.code
    said = [line for line in capsys.readouterr().err.splitlines() if not line.startswith("hint: ")]
    assert code == 2 and len(said) == 1, said


def test_an_array_argument_may_be_a_pointer_into_it(file, capsys):
    path = file("__global__ void k(const int *a, int *o) { int t = threadIdx.x; o[t] = a[t] - a[t - 3]; }")
    words = "--grid 1 --block 32 --arg int:35+3:range --arg int:32".split()
    assert main([path, *words]) == 0
    assert main([path, *words, "--count"]) == 0
    assert main([path, *(word.replace("+3", "+2") for word in words)]) != 0  # a[-3] is outside


STENCIL = """#define RADIUS 3
__global__ void stencil(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    for (int d = -RADIUS; d <= RADIUS; d++) sum += in[i + d];
    if (i < n) out[i] = sum;
}
int main() {
    const int N = 4096;
    int size = (N + 2 * RADIUS) * sizeof(int), *d_in, *d_out;
    cudaMalloc((void **)&d_in, size); cudaMalloc((void **)&d_out, size);
    stencil<<<N / 256, 256>>>(d_in + RADIUS, d_out + RADIUS, N);
}"""
TILED = """template <const uint BM, const uint BN> __global__ void tile(const float *a, float *o, int n) {
    __shared__ float s[BM][BN]; s[threadIdx.y][threadIdx.x] = a[threadIdx.y * n + threadIdx.x]; __syncthreads();
    o[threadIdx.y * n + threadIdx.x] = s[threadIdx.y][threadIdx.x];
}
void run(float *a, float *o) {
    const uint BM = 8, BN = 32;
    dim3 grid(1), block(BN, BM);
    tile<BM, BN><<<grid, block>>>(a, o, 32);
}"""
READ = """__global__ void total(const int *in, int *out, int n) { extern __shared__ int s[]; int i = blockIdx.x * blockDim.x + threadIdx.x; s[threadIdx.x] = in[i]; if (i < n) out[i] = s[threadIdx.x]; }
int main(int argc, char **argv) {
    int size = 1 << 12, b = 512;
    if (argc > 1) b = atoi(argv[1]);
    dim3 block(b, 1), grid((size + block.x - 1) / block.x, 1);
    int *in, *out; cudaMalloc(&in, size * 4); cudaMalloc(&out, size * 4);
    total<<<grid, block, 2 * b * sizeof(int)>>>(in, out, size);
}"""
UNREAD = "__global__ void k(float *a, int n) { if (threadIdx.x < n) a[threadIdx.x] = 1; } void f(float *x, int g) { k<<<g, 64>>>(x, 9); }"
ONE = "__global__ void k(float *a, int n) { for (int i = 0; i < n; i++) a[i] = i; } int main() { float *a; int n = 1 << 22; cudaMalloc(&a, n * 4); k<<<1, 1>>>(a, n); }"
SQUARE = "#define T 32\n__global__ void k(const float *a, float *o, int n) { __shared__ float s[T][T + 1]; s[threadIdx.y][threadIdx.x] = a[threadIdx.y * n + threadIdx.x]; __syncthreads(); o[threadIdx.y * n + threadIdx.x] = s[threadIdx.x][threadIdx.y]; }"
SUGGESTED = {
    "an offset and host constants": (STENCIL, "as line 11 launches it:", ["--arg", "int:4102+3", "--arg", "int:4102+3", "--arg", "4096"]),
    "constants of the host as template arguments": (TILED, "guessed, as line 8 leaves open: a, o", ["--kernel", "tile<8, 32>", "--grid", "1", "--block", "32x8"]),
    "a variable that may have changed": (READ, "guessed, as line 7 leaves open: numbers", ["--grid", "8x1", "--block", "512x1", "--shared", "4096"]),
    "a grid from elsewhere": (UNREAD, "guessed, as line 1 leaves open: grid, a", ["--block", "64"]),
    "one thread that goes far": (ONE, "as line 1 launches it:", ["--grid", "1", "--block", "1", "--count"]),
    "a block as large as its tile": (SQUARE, "to begin with:", ["--block", "32x32"]),
}  # fmt: skip


@pytest.mark.parametrize("name", SUGGESTED)
def test_a_suggested_command_line_says_what_it_guesses_and_runs(file, capsys, name):
    text, origin, words = SUGGESTED[name]
    path = file(text)
    assert main([path]) == 0
    said = capsys.readouterr().out.splitlines()
    (command,) = (line.strip() for line in said if "python -m gpusim" in line)
    given = shlex.split(command)
    assert any(line.strip().startswith(origin) for line in said), said
    assert shlex.join(words) in command or all(word in given for word in words), command
    assert main(given[3:]) == 0, capsys.readouterr()
