__global__ void kernel(int* a) {
  int n = __syncthreads_count(a[threadIdx.x] > 2);
  if (__syncthreads_or(n)) a[threadIdx.x] = __syncthreads_and(1);
}

/* lowered
  kernel kernel
  ...
  Statement 0 Declaration
  ...
  Barrier Count %2
  Statement 0 Declaration
  %1 = BarrierVoteCount
  n = Assign.I32 %1
  Statement 1 Condition
  %2 = NotEqual.I32 n, 0
  Barrier Or %2
  Statement 1 Condition
  %1 = BarrierVoteOr
  ...
  Barrier And true
  ...
  %1 = BarrierVoteAnd
*/
