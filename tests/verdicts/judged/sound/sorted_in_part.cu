// Too few passes on purpose: what the program compares with is no other version of the same.
#include <cstdio>
#include <vector>
#include <algorithm>
__global__ void oddeven(int* a,int n,int p){ int i=2*(blockIdx.x*blockDim.x+threadIdx.x)+p; if(i+1<n && a[i]>a[i+1]){ int t=a[i];a[i]=a[i+1];a[i+1]=t; } }
int main(){
  const int n=200; std::vector<int> h(n); for(int i=0;i<n;i++) h[i]=(i*73)%n;
  auto r=h; std::sort(r.begin(),r.end());
  int*a; cudaMalloc(&a,n*4); cudaMemcpy(a,h.data(),n*4,cudaMemcpyHostToDevice);
  for(int k=0;k<50;k++) oddeven<<<1,128>>>(a,n,k%2);
  cudaMemcpy(h.data(),a,n*4,cudaMemcpyDeviceToHost);
  int inv=0; for(int i=0;i<n;i++) inv+= h[i]!=r[i];
  printf("%d elements not yet in place after 50 passes\n",inv);
  return inv>0;
}
