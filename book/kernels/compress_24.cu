// 2:4 sparsity: of every four neighbours keep the two largest (by
// absolute value), and note their places in the group, 2 bits each.
__global__ void compress_24(const float4 *in, float2 *kept, unsigned char *place, int groups) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < groups) {
        float4 group = in[i];
        float v[4] = {group.x, group.y, group.z, group.w};
        float2 pair = make_float2(0.0f, 0.0f);
        int found = 0;
        int places = 0;
#pragma unroll
        for (int k = 0; k < 4; k++) {
            int larger = 0;                    // how many of the others come before element k
#pragma unroll
            for (int j = 0; j < 4; j++) {
                bool before = fabsf(v[j]) > fabsf(v[k]) || (fabsf(v[j]) == fabsf(v[k]) && j < k);
                larger += before ? 1 : 0;
            }
            if (larger < 2) {
                if (found == 0) {
                    pair.x = v[k];
                    places = k;
                } else {
                    pair.y = v[k];
                    places += 4 * k;
                }
                found++;
            }
        }
        kept[i] = pair;
        place[i] = places;
    }
}
