// A launch that is repeated on purpose; the result is one constant, which the program checks.
#include <cstdio>
__global__ void conv(const float* x,float* y,int n){int i=blockIdx.x*blockDim.x+threadIdx.x;if(i>0&&i<n-1)y[i]=x[i-1]-2*x[i]+x[i+1];}
int main(){
  int n=1000;float*x,*y;cudaMallocManaged(&x,n*4);cudaMallocManaged(&y,n*4);
  for(int i=0;i<n;i++){x[i]=i*i*0.5f;y[i]=0;}
  for(int r=0;r<10;r++){conv<<<8,128>>>(x,y,n);}
  cudaDeviceSynchronize();
  int bad=0;for(int i=1;i<n-1;i++)if(y[i]!=x[i-1]-2*x[i]+x[i+1])bad++;
  printf("%s\n",bad?"FAIL":"OK");return bad;
}
