__global__ void k(cudaTextureObject_t in, float* out) { out[threadIdx.x] = tex1Dfetch<float>(in, threadIdx.x); }
// error 1:19: unsupported: parameter 'in' of type cudaTextureObject_t
