// Two kernels with one mistake, compared with each other alone.
#include <cstdio>
#include <vector>
#include <cmath>
#define B 64
__global__ void naive(const float* in,float* out,int n){int i=blockIdx.x*blockDim.x+threadIdx.x;if(i>=n)return;float l=i?in[i-1]:0,r=i<n-1?in[i+1]:0;out[i]=0.25f*l+0.5f*in[i]+0.5f*r;}
__global__ void tiled(const float* in,float* out,int n){__shared__ float t[B+2];int i=blockIdx.x*B+threadIdx.x,k=threadIdx.x+1;t[k]=i<n?in[i]:0;if(threadIdx.x==0)t[0]=i>0?in[i-1]:0;if(threadIdx.x==B-1)t[B+1]=i+1<n?in[i+1]:0;__syncthreads();if(i<n)out[i]=0.25f*t[k-1]+0.5f*t[k]+0.5f*t[k+1];}
int main(){const int n=1000;std::vector<float>x(n),p(n),q(n);for(int i=0;i<n;i++)x[i]=(i*31)%23;float*a,*b,*c;cudaMalloc(&a,n*4);cudaMalloc(&b,n*4);cudaMalloc(&c,n*4);cudaMemcpy(a,x.data(),n*4,cudaMemcpyHostToDevice);
 naive<<<(n+B-1)/B,B>>>(a,b,n);tiled<<<(n+B-1)/B,B>>>(a,c,n);
 cudaMemcpy(p.data(),b,n*4,cudaMemcpyDeviceToHost);cudaMemcpy(q.data(),c,n*4,cudaMemcpyDeviceToHost);
 for(int i=0;i<n;i++)if(fabsf(p[i]-q[i])>1e-5f){printf("MISMATCH %d\n",i);return 1;}puts("tiled and naive agree");cudaFree(a);cudaFree(b);cudaFree(c);return 0;}
