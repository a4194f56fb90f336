// As before, in memory of the device.
#include <cstdio>
#include <cmath>
__global__ void zweite(const double* f,double* g,int n,double h){int i=blockIdx.x*blockDim.x+threadIdx.x;if(i>0&&i<n-1)g[i]=(f[i-1]-2*f[i]+f[i+1])/(h*h);}
int main(){const int n=513;double h=1.0/512,*f,*g;cudaMallocManaged(&f,n*8);cudaMallocManaged(&g,n*8);for(int i=0;i<n;i++){f[i]=(i*h)*(i*h);g[i]=2;}
 for(int wdh=0;wdh<4;wdh++)zweite<<<5,128>>>(f,g,n,h);
 cudaDeviceSynchronize();double e=0;for(int i=0;i<n;i++)e=fmax(e,fabs(g[i]-2.0));printf("Fehler %g\n",e);cudaFree(f);cudaFree(g);return e<1e-6?0:1;}
