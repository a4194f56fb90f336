// Never instantiated, but has default arguments.
template <typename Real = double, int steps = 4>
__device__ Real scaled(Real value) {
  return value * steps;
}

template <typename Real = float, int tile = 8>
__global__ void kernel(Real* out) {
  if constexpr (tile > 16) {
    out[0] = tile;
  } else {
    out[1] = scaled<Real, tile>(out[0]);
  }
}

/* lowered
  Statement 0 Condition
  Statement 1 Expression
  %0 = Load.F32 [out] out
  Call scaled
    value = Assign.F32 %0
    Statement 2 Return
    %0 = Mul.F32 value, 8.0f
  EndCall
  Statement 1 Expression
  %1 = Offset out, 1, 4
  Store.F32 [%1], %0 out
*/
