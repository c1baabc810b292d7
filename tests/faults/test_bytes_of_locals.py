"""Local variables have bytes: what one type writes, another reads, as in memory."""

import numpy as np
import pytest

import gpusim as gs

INTS = np.array([0, 1, -1, 0x01020304, -0x7F000000, 65535, 1 << 30, -5] * 4, np.int32)


def run(body, n, dtype=np.int32, parameters="int *o, const int *a", before=""):
    """What kernel k with this body leaves in o; a holds INTS, a thread each."""
    text = f"{before}\n__global__ void k({parameters}) {{ int t = threadIdx.x; {body} }}"
    out = gs.zeros(n, dtype)
    done = gs.cuda(text).k[1, 32](out, gs.asarray(INTS))
    assert not done.reports
    return gs.asnumpy(out)


def test_the_bits_of_a_float_are_read_as_an_int_and_back():
    body = "float x = a[t]; int bits = *(int*)&x; unsigned u = *(unsigned*)&x; o[t] = bits; *(int*)&x = bits ^ 0x80000000; o[32 + t] = x; o[64 + t] = u >> 1;"
    bits = INTS.astype(np.float32).view(np.int32)
    got = run(body, 96)
    assert got[:32].tolist() == bits.tolist()
    assert got[32:64].tolist() == (-INTS.astype(np.float32)).astype(np.int32).tolist()
    assert got[64:].tolist() == (bits.view(np.uint32) >> 1).astype(np.int32).tolist()


@pytest.mark.parametrize("index", ["2", "t & 3"])
def test_the_bytes_of_an_int_are_read_and_written_one_by_one(index):
    body = f"int x = a[t]; unsigned char *b = (unsigned char*)&x; o[t] = b[{index}]; b[{index}] = t + 100; o[32 + t] = x;"
    lanes, places = np.arange(32), np.full(32, 2) if index == "2" else np.arange(32) & 3
    bytes_ = INTS.copy().view(np.uint8).reshape(32, 4)
    got = run(body, 64)
    assert got[:32].tolist() == bytes_[lanes, places].tolist()
    bytes_[lanes, places] = lanes + 100
    assert got[32:].tolist() == bytes_.view(np.int32).ravel().tolist()


def test_only_the_lanes_that_store_a_byte_change_it():
    body = "int x = a[t]; short *h = (short*)&x; if (t % 3 == 0) h[1] = 7; o[t] = x;"
    want = INTS.copy()
    want.view(np.int16)[1::2][::3] = 7
    assert run(body, 32).tolist() == want.tolist()


def test_a_vector_is_read_as_packs_of_half():
    body = "float4 raw = *(const float4*)(a + 4 * (t & 3)); half2 *h = (half2*)&raw; float2 f = __half22float2(h[t & 3]); o[t] = f.x + f.y;"
    text = f"__global__ void k(float *o, const float *a) {{ int t = threadIdx.x; {body} }}"
    halves = (np.arange(32) / 8).astype(np.float16)
    out = gs.zeros(16, np.float32)
    gs.cuda(text).k[1, 16](out, gs.asarray(halves.view(np.float32)))
    t = np.arange(16)
    first = 8 * (t & 3) + 2 * (t & 3)
    assert gs.asnumpy(out).tolist() == (halves[first].astype(np.float32) + halves[first + 1]).tolist()


@pytest.mark.parametrize("at", ["1", "t & 1"])
def test_a_local_array_of_structs_may_mix_types(at):
    before = "struct C { char tag; double v; int i; };"
    body = f"C c[3]; c[0].tag = 1; c[0].v = 0.5 * t; c[0].i = 1 << 29 | 1; c[1] = c[0]; c[1].i += t; c[2] = c[{at}]; o[t] = c[2].i; o[32 + t] = c[2].v * 2 + c[2].tag;"
    got, t = run(body, 64, before=before), np.arange(32)
    assert got[:32].tolist() == ((1 << 29 | 1) + (t if at == "1" else t * (t & 1))).tolist()
    assert got[32:].tolist() == (t + 1).tolist()


def test_an_index_beyond_the_bytes_of_a_local_is_reported_in_units_of_the_access():
    with pytest.raises(gs.OutOfBounds, match="index 4 is outside x, which has 4 elements"):
        run("int x = a[t]; o[t] = ((char*)&x)[4];", 32)


def test_an_index_by_block_into_values_by_thread():
    text = "__global__ void k(int *o) { int t = threadIdx.x, L[4]; for (int z = 0; z < 4; z++) L[z] = z * t; o[blockIdx.x * 32 + t] = L[blockIdx.x & 3]; }"
    gs.cuda(text).k[3, 32](out := gs.zeros(96, np.int32))
    assert gs.asnumpy(out).tolist() == [b * t for b in range(3) for t in range(32)]


def test_a_count_goes_on_over_bytes_of_locals():
    text = "__global__ void k(int *o) { int x = threadIdx.x; unsigned char *b = (unsigned char*)&x; b[1] = 0; o[b[0]] = x; if (b[0] < 4) o[0] = 1; }"
    try:
        counts = gs.count(gs.cuda(text).k, 1, 32, gs.spec(64, "i4"))
    except gs.GpusimError as error:
        assert "Traceback" not in str(error)
    else:
        assert counts.counts.global_store_requests == 2
