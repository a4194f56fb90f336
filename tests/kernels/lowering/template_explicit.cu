// options: -kernel=sweep<3>
template <int radius>
__global__ void sweep(float* out) {
  for (int i = -radius; i <= radius; ++i) {
    out[i + radius] = radius;
  }
}
template __global__ void sweep<1>(float*);
template __global__ void sweep<3>(float*);

/* lowered
  Statement 0 LoopInit
  i = Assign.I32 -3
  Loop 0
    Statement 1 LoopCondition
    %0 = LessEqual.I32 i, 3
    LoopTest %0
    Statement 2 Expression
    %1 = Add.I32 i, 3
    %2 = Offset out, %1, 4
    Store.F32 [%2], 3.0f out
    LoopNext
    Statement 3 LoopIncrement
    %1 = Add.I32 i, 1
    i = Assign.I32 %1
    LoopBack
  EndLoop
*/
