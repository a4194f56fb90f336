// One template in two precisions; ends with 1 because float is not precise enough for what is asked.
#include <cstdio>
#include <cmath>
#include <cstdlib>
template<typename T> __global__ void step(const T* u,T* v,int n,T r){
  int i=blockIdx.x*blockDim.x+threadIdx.x;
  if(i>0&&i<n-1) v[i]=u[i]+r*(u[i-1]-T(2)*u[i]+u[i+1]);
  else if(i<n) v[i]=u[i];
}
int main(){
  const int n=200; float hf[n]; double hd[n];
  for(int i=0;i<n;i++){ hd[i]=sin(i*0.3)*100; hf[i]=(float)hd[i]; }
  float*a,*b; double*c,*d; cudaMalloc(&a,n*4);cudaMalloc(&b,n*4);cudaMalloc(&c,n*8);cudaMalloc(&d,n*8);
  cudaMemcpy(a,hf,n*4,cudaMemcpyHostToDevice);cudaMemcpy(c,hd,n*8,cudaMemcpyHostToDevice);
  for(int k=0;k<10;k++){ step<float><<<2,128>>>(a,b,n,0.2f); step<double><<<2,128>>>(c,d,n,0.2); float*t=a;a=b;b=t; double*s=c;c=d;d=s; }
  cudaMemcpy(hf,a,n*4,cudaMemcpyDeviceToHost);cudaMemcpy(hd,c,n*8,cudaMemcpyDeviceToHost);
  double m=0; for(int i=0;i<n;i++) m=fmax(m,fabs(hf[i]-hd[i]));
  printf("max |float-double| = %g\n",m);
  if(m>1e-9){ printf("single precision is not enough\n"); return 1;}
  return 0;
}
