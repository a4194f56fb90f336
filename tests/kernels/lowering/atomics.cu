__global__ void kernel(int* a, unsigned* u, unsigned long long* wide, float* f) {
  atomicSub(a, 2);
  atomicMin(&a[1], 3);
  atomicInc(u, 7u);
  atomicMax_block(wide, 9ull);
  int old = atomicCAS(a, 4, 5);
  float was = atomicExch(f, 1.5f);
  f[1] = __int_as_float(__float_as_int(was) ^ old);
}

/* lowered
  kernel kernel
  ...
  %0 = AtomicAdd.I32 [a], -2 a
  ...
  %0 = AtomicMin.I32 [%1], 3 a
  ...
  %2 = AtomicIncrement.U32 [u], 7u u
  ...
  %3 = AtomicMax.U64 [wide], 9ul wide
  ...
  %0 = AtomicCompareAndSwap.I32 [a], 4, 5 a
  ...
  %4 = AtomicExchange.F32 [f], 1.5f f
  ...
  %0 = Reinterpret.I32 was
  %5 = Xor.I32 %0, old
  %4 = Reinterpret.F32 %5
*/
