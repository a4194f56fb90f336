// The two extents of the grid are exchanged.
#include <cstdio>
#include <cstdlib>
__global__ void grau(const float* in,float* out,int w,int h){int x=blockIdx.x*blockDim.x+threadIdx.x,y=blockIdx.y*blockDim.y+threadIdx.y;if(x<w&&y<h)out[y*w+x]=in[y*w+x]*0.5f;}
int main(){int w=96,h=32;size_t s=w*h*4;float*p=(float*)malloc(s);for(int i=0;i<w*h;i++)p[i]=i;float*a,*b;cudaMalloc(&a,s);cudaMalloc(&b,s);cudaMemcpy(a,p,s,cudaMemcpyHostToDevice);
 dim3 t(16,16),g((h+15)/16,(w+15)/16);grau<<<g,t>>>(a,b,w,h);cudaMemcpy(p,b,s,cudaMemcpyDeviceToHost);printf("%f\n",p[w*h-1]);cudaFree(a);cudaFree(b);free(p);}
