// options: -kernel=sweep<3>
template <int radius>
__global__ void sweep(float* out) {
  for (int i = -radius; i <= radius; ++i) {
    out[i + radius] = radius;
  }
}
template __global__ void sweep<1>(float*);
template __global__ void sweep<3>(float*);
