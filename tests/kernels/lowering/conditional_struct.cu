// A struct that one of two sides gives, in memory or in registers.
__global__ void kernel(const float2* in, float2* out, int n) {
  float2 first = {0.0f, 1.0f};
  float2 one = n > 2 ? in[n] : first;
  out[n] = one;
}

/* lowered
  Statement 1 Declaration
  %0 = Greater.I32 n, 2
  If %0
    %3 = Offset in, n, 8
    %1 = Load.F32 [%3] in part 0 of 8 bytes
    %4 = Offset %3, 4l, 1
    %2 = Load.F32 [%4] in part 1 of 8 bytes
  Else
    %1 = Assign.F32 first.x
    %2 = Assign.F32 first.y
  EndIf
  one.x = Assign.F32 %1
  one.y = Assign.F32 %2
*/
