// Counts where a later stage differs from an earlier one.
#include <cstdio>
#include <cstdlib>
#include <cmath>
__global__ void gx(const float* p,float* g,int w,int h){int x=blockIdx.x*blockDim.x+threadIdx.x,y=blockIdx.y*blockDim.y+threadIdx.y;if(x<w&&y<h)g[y*w+x]=(x>0&&x<w-1)?0.5f*(p[y*w+x+1]-p[y*w+x-1]):0;}
__global__ void mag(const float* p,const float* g,float* m,int w,int h){int x=blockIdx.x*blockDim.x+threadIdx.x,y=blockIdx.y*blockDim.y+threadIdx.y;if(x<w&&y<h){float v=(y>0&&y<h-1)?0.5f*(p[(y+1)*w+x]-p[(y-1)*w+x]):0;float u=g[y*w+x];m[y*w+x]=sqrtf(u*u+v*v);}}
int main(){int w=40,h=30;float*p=(float*)malloc(w*h*4),*gr=(float*)malloc(w*h*4),*m=(float*)malloc(w*h*4);for(int y=0;y<h;y++)for(int x=0;x<w;x++)p[y*w+x]=(x>20?30.f:0.f)+(y>25?5.f:0.f)+x*0.5f;
 for(int y=0;y<h;y++)for(int x=0;x<w;x++)gr[y*w+x]=(x>0&&x<w-1)?0.5f*(p[y*w+x+1]-p[y*w+x-1]):0;
 float*a,*b,*c;cudaMalloc(&a,w*h*4);cudaMalloc(&b,w*h*4);cudaMalloc(&c,w*h*4);cudaMemcpy(a,p,w*h*4,cudaMemcpyHostToDevice);dim3 t(16,16),g(3,2);
 gx<<<g,t>>>(a,b,w,h);mag<<<g,t>>>(a,b,c,w,h);cudaMemcpy(m,c,w*h*4,cudaMemcpyDeviceToHost);
 int horiz=0;for(int i=0;i<w*h;i++)if(fabsf(m[i]-gr[i])>1e-5f)horiz++;
 printf("points with a vertical component: %d\n",horiz);
 cudaFree(a);cudaFree(b);cudaFree(c);free(p);free(gr);free(m);return 0;}
