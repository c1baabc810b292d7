// Particles and stencils.
#include <math.h>
#define SOFTENING 1e-9f
#define BLOCK_SIZE 16
#define IN_TILE_DIM 8
#define OUT_TILE_DIM ((IN_TILE_DIM) - 2)
#define IN_RANGE(x, min, max) ((x) >= (min) && (x) <= (max))
#define CLAMP_RANGE(x, min, max) x = (x < (min)) ? min : ((x > (max)) ? max : x)
#define MIN(a, b) ((a) <= (b) ? (a) : (b))
#define DIVIDE_INTO(x, y) ((x + y - 1) / y)

typedef struct { float x, y, z, vx, vy, vz; } Body;
__constant__ float softeningSquared = 0.01f;
__constant__ float c0 = 0.1f, c1 = 0.2f;

__device__ float3 bodyBodyInteraction(float3 ai, float4 bi, float4 bj) {
  float3 r;
  r.x = bj.x - bi.x;
  r.y = bj.y - bi.y;
  r.z = bj.z - bi.z;
  float distSqr = r.x * r.x + r.y * r.y + r.z * r.z;
  distSqr += softeningSquared;
  float invDist = rsqrtf(distSqr);
  float invDistCube = invDist * invDist * invDist;
  float s = bj.w * invDistCube;
  ai.x += r.x * s;
  ai.y += r.y * s;
  ai.z += r.z * s;
  return ai;
}
__device__ float3 computeBodyAccel(float4 bodyPos, const float4 *positions, int numTiles) {
  extern __shared__ float4 sharedPos[];
  float3 acc = {0.0f, 0.0f, 0.0f};
  for (int tile = 0; tile < numTiles; tile++) {
    sharedPos[threadIdx.x] = positions[tile * blockDim.x + threadIdx.x];
    __syncthreads();
#pragma unroll 128
    for (unsigned int counter = 0; counter < blockDim.x; counter++) {
      acc = bodyBodyInteraction(acc, bodyPos, sharedPos[counter]);
    }
    __syncthreads();
  }
  return acc;
}
__global__ void integrateBodies(float4 *__restrict__ newPos, const float4 *__restrict__ oldPos, float4 *vel,
                                unsigned int deviceNumBodies, float deltaTime, float damping, int numTiles) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= deviceNumBodies) return;
  float4 position = oldPos[index];
  float3 accel = computeBodyAccel(position, oldPos, numTiles);
  float4 velocity = vel[index];
  velocity.x += accel.x * deltaTime;
  velocity.x *= damping;
  position.x += velocity.x * deltaTime;
  newPos[index] = position;
  vel[index] = velocity;
}
__global__ void bodyForce(Body *p, float dt, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) {
    float Fx = 0.0f; float Fy = 0.0f; float Fz = 0.0f;
    for (int j = 0; j < n; j++) {
      float dx = p[j].x - p[i].x, dy = p[j].y - p[i].y, dz = p[j].z - p[i].z;
      float distSqr = dx * dx + dy * dy + dz * dz + SOFTENING;
      float invDist = rsqrtf(distSqr);
      float invDist3 = invDist * invDist * invDist;
      Fx += dx * invDist3; Fy += dy * invDist3; Fz += dz * invDist3;
    }
    p[i].vx += dt * Fx; p[i].vy += dt * Fy; p[i].vz += dt * Fz;
  }
}
__global__ void stencil_7point(float *in, float *out, unsigned int N) {
  int i = blockIdx.z * OUT_TILE_DIM + threadIdx.z - 1;
  int j = blockIdx.y * OUT_TILE_DIM + threadIdx.y - 1;
  int k = blockIdx.x * OUT_TILE_DIM + threadIdx.x - 1;
  __shared__ float in_s[IN_TILE_DIM][IN_TILE_DIM][IN_TILE_DIM];
  if (i >= 0 && i < N && j >= 0 && j < N && k >= 0 && k < N)
    in_s[threadIdx.z][threadIdx.y][threadIdx.x] = in[i * N * N + j * N + k];
  __syncthreads();
  if (i >= 1 && i < N - 1 && j >= 1 && j < N - 1 && k >= 1 && k < N - 1)
    if (threadIdx.z >= 1 && threadIdx.z < IN_TILE_DIM - 1 && threadIdx.y >= 1 && threadIdx.y < IN_TILE_DIM - 1 &&
        threadIdx.x >= 1 && threadIdx.x < IN_TILE_DIM - 1)
      out[i * N * N + j * N + k] = c0 * in_s[threadIdx.z][threadIdx.y][threadIdx.x] +
        c1 * (in_s[threadIdx.z][threadIdx.y][threadIdx.x - 1] + in_s[threadIdx.z][threadIdx.y][threadIdx.x + 1] +
              in_s[threadIdx.z][threadIdx.y - 1][threadIdx.x] + in_s[threadIdx.z + 1][threadIdx.y][threadIdx.x]);
}
__global__ void calculate_temp(int iteration, float *power, float *temp_src, float *temp_dst, int grid_cols,
                               int grid_rows, int border_cols, int border_rows, float Cap, float Rx, float Ry,
                               float Rz, float step, float time_elapsed) {
  __shared__ float temp_on_cuda[BLOCK_SIZE][BLOCK_SIZE];
  __shared__ float power_on_cuda[BLOCK_SIZE][BLOCK_SIZE];
  __shared__ float temp_t[BLOCK_SIZE][BLOCK_SIZE];
  float amb_temp = 80.0;
  float step_div_Cap, Rx_1, Ry_1, Rz_1;
  int bx = blockIdx.x, by = blockIdx.y;
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  step_div_Cap = step / Cap;
  Rx_1 = 1 / Rx; Ry_1 = 1 / Ry; Rz_1 = 1 / Rz;
  int small_block_rows = BLOCK_SIZE - iteration * 2, small_block_cols = BLOCK_SIZE - iteration * 2;
  int blkY = small_block_rows * by - border_rows, blkX = small_block_cols * bx - border_cols;
  int yidx = blkY + ty, xidx = blkX + tx;
  int loadYidx = yidx, loadXidx = xidx;
  int index = grid_cols * loadYidx + loadXidx;
  if (IN_RANGE(loadYidx, 0, grid_rows - 1) && IN_RANGE(loadXidx, 0, grid_cols - 1)) {
    temp_on_cuda[ty][tx] = temp_src[index];
    power_on_cuda[ty][tx] = power[index];
  }
  __syncthreads();
  int N = ty - 1, S = ty + 1, W = tx - 1, E = tx + 1;
  N = (N < 0) ? 0 : N; W = (W < 0) ? 0 : W;
  CLAMP_RANGE(S, 0, BLOCK_SIZE - 1);
  CLAMP_RANGE(E, 0, BLOCK_SIZE - 1);
  bool computed;
  for (int i = 0; i < iteration; i++) {
    computed = false;
    if (IN_RANGE(tx, i + 1, BLOCK_SIZE - i - 2) && IN_RANGE(ty, i + 1, BLOCK_SIZE - i - 2)) {
      computed = true;
      temp_t[ty][tx] = temp_on_cuda[ty][tx] + step_div_Cap * (power_on_cuda[ty][tx] +
        (temp_on_cuda[S][tx] + temp_on_cuda[N][tx] - 2.0 * temp_on_cuda[ty][tx]) * Ry_1 +
        (temp_on_cuda[ty][E] + temp_on_cuda[ty][W] - 2.0 * temp_on_cuda[ty][tx]) * Rx_1 +
        (amb_temp - temp_on_cuda[ty][tx]) * Rz_1);
    }
    __syncthreads();
    if (i == iteration - 1) break;
    if (computed) temp_on_cuda[ty][tx] = temp_t[ty][tx];
    __syncthreads();
  }
  if (computed) temp_dst[index] = temp_t[ty][tx];
}
template <int RADIUS, int BX>
__global__ void stencil_1d(const int *__restrict__ in, int *__restrict__ out, const int n) {
  __shared__ int temp[BX + 2 * RADIUS];
  const int g = threadIdx.x + blockIdx.x * blockDim.x, l = threadIdx.x + RADIUS;
  temp[l] = g < n ? in[g] : 0;
  if (threadIdx.x < RADIUS) {
    temp[l - RADIUS] = g >= RADIUS ? in[g - RADIUS] : 0;
    temp[l + BX] = g + BX < n ? in[g + BX] : 0;
  }
  __syncthreads();
  int result = 0;
#pragma unroll
  for (int offset = -RADIUS; offset <= RADIUS; offset++) result += temp[l + offset];
  if (g < n) out[g] = result;
}
void launch(int *a, int *b) { stencil_1d<3, 256><<<4, 256>>>(a, b, 1024); }
__global__ void heat3d(double *__restrict__ u1, const double *__restrict__ u0, int nx, int ny, int nz, double dt) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x + 1, j = threadIdx.y + blockIdx.y * blockDim.y + 1;
  if (i >= nx - 1 || j >= ny - 1) return;
  const size_t plane = (size_t)nx * ny;
  double below, here = u0[j * nx + i], above = u0[plane + j * nx + i];
  for (int k = 1; k < nz - 1; ++k) {
    const size_t c = k * plane + j * nx + i;
    below = here; here = above; above = u0[c + plane];
    u1[c] = here + dt * (u0[c - 1] + u0[c + 1] + u0[c - nx] + u0[c + nx] + below + above - 6.0 * here);
  }
}
