/* The same kernels in C, one thread: runs every lane, counts the sectors of every warp access by looking at all 32 addresses.
   usage: brute_force KERNEL N; prints seconds, load sectors, store sectors and shared wavefronts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef long long ll;
static ll load_sectors, store_sectors, wavefronts;

static ll distinct(const ll *word, int shift) {          /* distinct values of word >> shift among the 32 lanes */
    ll seen[32];
    int n = 0;
    for (int lane = 0; lane < 32; lane++) {
        ll s = word[lane] >> shift;
        int known = n > 0 && seen[n - 1] == s;
        for (int i = 0; i < n && !known; i++) known = seen[i] == s;
        if (!known) seen[n++] = s;
    }
    return n;
}

static ll banks(const ll *word) {                        /* most distinct words in one bank */
    ll most = 0;
    for (int lane = 0; lane < 32; lane++) {
        ll queue = 0;
        for (int other = 0; other < 32; other++) {
            if ((word[other] & 31) != (word[lane] & 31)) continue;
            int first = 1;
            for (int i = 0; i < other; i++) if (word[i] == word[other]) first = 0;
            queue += first;
        }
        if (queue > most) most = queue;
    }
    return most;
}

static void naive(const float *A, const float *B, float *C, int N) {
    ll a[32], b[32], c[32];
    for (int by = 0; by < N / 16; by++) for (int bx = 0; bx < N / 16; bx++) for (int warp = 0; warp < 8; warp++) {
        float sum[32] = {0};
        int row[32], col[32];
        for (int lane = 0; lane < 32; lane++) {
            int t = warp * 32 + lane;
            row[lane] = by * 16 + t / 16; col[lane] = bx * 16 + t % 16;
        }
        for (int k = 0; k < N; k++) {
            for (int lane = 0; lane < 32; lane++) { a[lane] = (ll)row[lane] * N + k; b[lane] = (ll)k * N + col[lane]; }
            load_sectors += distinct(a, 3) + distinct(b, 3);
            for (int lane = 0; lane < 32; lane++) sum[lane] += A[a[lane]] * B[b[lane]];
        }
        for (int lane = 0; lane < 32; lane++) { c[lane] = (ll)row[lane] * N + col[lane]; C[c[lane]] = sum[lane]; }
        store_sectors += distinct(c, 3);
    }
}

static void transpose(const float *A, float *B, int N) {  /* through a 32 x 32 tile, read by columns */
    static float tile[1024];
    ll in[32], out[32], word[32];
    for (int by = 0; by < N / 32; by++) for (int bx = 0; bx < N / 32; bx++) {
        for (int ty = 0; ty < 32; ty++) {
            for (int tx = 0; tx < 32; tx++) { in[tx] = (ll)(by * 32 + ty) * N + bx * 32 + tx; word[tx] = ty * 32 + tx; }
            load_sectors += distinct(in, 3); wavefronts += banks(word);
            for (int tx = 0; tx < 32; tx++) tile[word[tx]] = A[in[tx]];
        }
        for (int ty = 0; ty < 32; ty++) {
            for (int tx = 0; tx < 32; tx++) { out[tx] = (ll)(bx * 32 + ty) * N + by * 32 + tx; word[tx] = tx * 32 + ty; }
            store_sectors += distinct(out, 3); wavefronts += banks(word);
            for (int tx = 0; tx < 32; tx++) B[out[tx]] = tile[word[tx]];
        }
    }
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    int N = atoi(argv[2]);
    float *A = malloc(4ull * N * N), *B = malloc(4ull * N * N), *C = malloc(4ull * N * N);
    for (ll i = 0; i < (ll)N * N; i++) { A[i] = (float)(i % 7); B[i] = (float)(i % 5); }
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    if (!strcmp(argv[1], "naive")) naive(A, B, C, N); else transpose(A, C, N);
    clock_gettime(CLOCK_MONOTONIC, &end);
    double sum = 0;
    for (ll i = 0; i < (ll)N * N; i++) sum += C[i] * (double)(i % 11);
    printf("%.9f %lld %lld %lld %.17g\n", (end.tv_sec - start.tv_sec) + 1e-9 * (end.tv_nsec - start.tv_nsec),
           load_sectors, store_sectors, wavefronts, sum);
    return 0;
}
