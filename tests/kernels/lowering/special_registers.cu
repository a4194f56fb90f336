__global__ void k(unsigned* out) {
  unsigned lane, block;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm volatile("mov.u32 %0, %%ctaid.y;" : "=r"(block));
  out[lane] = block;
}

/* lowered
  Statement 0 Expression
  %0 = Mul.U32 threadIdx.z, blockDim.y
  %1 = Add.U32 threadIdx.y, %0
  %2 = Mul.U32 %1, blockDim.x
  %3 = Add.U32 threadIdx.x, %2
  %4 = And.U32 %3, 31u
  lane = Assign.U32 %4
  Statement 1 Expression
  block = Assign.U32 blockIdx.y
*/
