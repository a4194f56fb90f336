// Ends with 1 because averaging has changed samples, which is asked.
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
__global__ void scale(const float* a,float* b,int n,float s){int i=blockIdx.x*blockDim.x+threadIdx.x;if(i<n)b[i]=a[i]*s;}
__global__ void avg(const float* b,float* c,int n){int i=blockIdx.x*blockDim.x+threadIdx.x;if(i>0&&i<n-1)c[i]=(b[i-1]+b[i]+b[i+1])/3;else if(i<n)c[i]=b[i];}
int main(){
  int n=256;float*h=(float*)malloc(n*4),*scaled=(float*)malloc(n*4),*o=(float*)malloc(n*4);
  for(int i=0;i<n;i++){h[i]=(i*17)%23;scaled[i]=h[i]*2;}
  float*a,*b,*c;cudaMalloc(&a,n*4);cudaMalloc(&b,n*4);cudaMalloc(&c,n*4);
  cudaMemcpy(a,h,n*4,cudaMemcpyHostToDevice);
  scale<<<2,128>>>(a,b,n,2);avg<<<2,128>>>(b,c,n);
  cudaMemcpy(o,c,n*4,cudaMemcpyDeviceToHost);
  /* how much does averaging change the scaled signal? */
  int changed=0;for(int i=0;i<n;i++)if(fabsf(o[i]-scaled[i])>1e-6f)changed++;
  printf("averaging changed %d of %d samples\n",changed,n);
  if(changed>n/2) return 1;
  return 0;
}
