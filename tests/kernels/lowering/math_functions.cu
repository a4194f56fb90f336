__global__ void kernel(float* out, double* precise, int i, unsigned u) {
  out[0] = sqrtf(out[1]) + fabsf(out[2]) + __expf(out[3]) + fmaxf(out[4], 2);
  out[1] = fmaf(out[1], out[2], out[3]);
  precise[0] = pow(precise[1], 2) + sqrt(precise[2]) + abs(i);
  i = min(i, 4) + max(u, i);
  out[i] = isnan(out[5]) ? rsqrtf(2.0f) : std::max(out[6], 1.0f);
  atomicAdd(&out[7], 1.0f);
}

/* lowered
  Statement 0 Expression
  %0 = Offset out, 1, 4
  %1 = Load.F32 [%0] out
  %2 = Sqrt.F32 %1
  %3 = Offset out, 2, 4
  %4 = Load.F32 [%3] out
  %5 = Abs.F32 %4
  %6 = Add.F32 %2, %5
  %7 = Offset out, 3, 4
  %8 = Load.F32 [%7] out
  %9 = Exp.F32 %8
  %10 = Add.F32 %6, %9
  %11 = Offset out, 4, 4
  %12 = Load.F32 [%11] out
  %13 = Max.F32 %12, 2.0f
  %14 = Add.F32 %10, %13
  Store.F32 [out], %14 out
  Statement 1 Expression
  %11 = Offset out, 1, 4
  %14 = Load.F32 [%11] out
  %7 = Offset out, 2, 4
  %13 = Load.F32 [%7] out
  %3 = Offset out, 3, 4
  %12 = Load.F32 [%3] out
  %10 = Fma.F32 %14, %13, %12
  Store.F32 [%11], %10 out
  Statement 2 Expression
  %3 = Offset precise, 1, 8
  %15 = Load.F64 [%3] precise
  %16 = Pow.F64 %15, 2.0
  %7 = Offset precise, 2, 8
  %17 = Load.F64 [%7] precise
  %18 = Sqrt.F64 %17
  %19 = Add.F64 %16, %18
  %20 = Abs.I32 i
  %21 = Convert.F64 %20
  %22 = Add.F64 %19, %21
  Store.F64 [precise], %22 precise
  Statement 3 Expression
  %20 = Min.I32 i, 4
  %23 = Max.U32 u, i
  %24 = Add.U32 %20, %23
  i = Assign.I32 %24
  Statement 4 Expression
  %7 = Offset out, 5, 4
  %10 = Load.F32 [%7] out
  %25 = NotEqual.F32 %10, %10
  If %25
    %12 = Rsqrt.F32 2.0f
    %13 = Assign.F32 %12
  Else
    %3 = Offset out, 6, 4
    %14 = Load.F32 [%3] out
    %9 = Max.F32 %14, 1.0f
    %13 = Assign.F32 %9
  EndIf
  %11 = Offset out, i, 4
  Store.F32 [%11], %13 out
  Statement 5 Expression
  %11 = Offset out, 7, 4
  %9 = AtomicAdd.F32 [%11], 1.0f out
*/
