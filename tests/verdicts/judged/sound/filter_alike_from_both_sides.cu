// The filter is read backwards along an axis in which it is symmetric.
#include <cstdio>
#include <cstdlib>
#include <cmath>
__global__ void conv2(const float* in,const float* k,float* out,int w,int h){
  int x=blockIdx.x*blockDim.x+threadIdx.x,y=blockIdx.y*blockDim.y+threadIdx.y;
  if(x>=w||y>=h)return;
  float s=0;
  for(int j=-1;j<=1;j++)
    for(int i=-1;i<=1;i++){
      int xx=x+i,yy=y+j;
      if(xx>=0&&xx<w&&yy>=0&&yy<h)
        s+=in[yy*w+xx]*k[(j+1)*3+(1-i)];
    }
  out[y*w+x]=s;
}
int main(){
  int w=50,h=34;float*p=(float*)malloc(w*h*4),*q=(float*)malloc(w*h*4),*r=(float*)malloc(w*h*4),m[9]={1,2,1,0,0,0,-1,-2,-1};
  for(int i=0;i<w*h;i++)p[i]=rand()%100;
  float*a,*b,*c;cudaMalloc(&a,w*h*4);cudaMalloc(&b,w*h*4);cudaMalloc(&c,36);
  cudaMemcpy(a,p,w*h*4,cudaMemcpyHostToDevice);cudaMemcpy(c,m,36,cudaMemcpyHostToDevice);
  dim3 t(16,16),g((w+15)/16,(h+15)/16);
  conv2<<<g,t>>>(a,c,b,w,h);
  cudaMemcpy(q,b,w*h*4,cudaMemcpyDeviceToHost);
  for(int y=0;y<h;y++)for(int x=0;x<w;x++){float s=0;for(int j=-1;j<=1;j++)for(int i=-1;i<=1;i++)if(x+i>=0&&x+i<w&&y+j>=0&&y+j<h)s+=p[(y+j)*w+x+i]*m[(j+1)*3+i+1];r[y*w+x]=s;}
  int bad=0;for(int i=0;i<w*h;i++)if(fabsf(q[i]-r[i])>1e-3f)bad++;
  printf("%d errors\n",bad);cudaFree(a);cudaFree(b);cudaFree(c);free(p);free(q);free(r);
  return bad?1:0;
}
