// Every kind of loop, with break and continue, and what is known about each.
__global__ void kernel(float* out, int n) {
  for (int i = 0; i < n; ++i) {
    if (i == 3) continue;
    for (int j = i; j > 0; j >>= 1) {
      if (out[j] < 0.0f) break;
      __syncthreads();
    }
  }
  int k = n;
  while (k > 0) {
    k -= 2;
  }
  do {
    ++k;
  } while (k < n);
  for (;;) {
    if (k-- == 0) return;
  }
}

/* lowered
  loop 0 depth 0 over i with a barrier
  loop 1 depth 1 over j with a barrier
  loop 2 depth 0 over -
  loop 3 depth 0 over -
  loop 4 depth 0 over -
  ...
  Statement 0 LoopInit
  i = Assign.I32 0
  Loop 0
    Statement 1 LoopCondition
    %0 = Less.I32 i, n
    LoopTest %0
    Statement 2 Condition
    %0 = Equal.I32 i, 3
    If %0
      Statement 3 Continue
      Continue
    EndIf
    Statement 4 LoopInit
    j = Assign.I32 i
    Loop 1
      Statement 5 LoopCondition
      %0 = Greater.I32 j, 0
      LoopTest %0
      Statement 6 Condition
      %1 = Offset out, j, 4
      %2 = Load.F32 [%1] out
      %0 = Less.F32 %2, 0.0f
      If %0
        Statement 7 Break
        Break
      EndIf
      Statement 8 Barrier
      Barrier
      LoopNext
      Statement 9 LoopIncrement
      %3 = Shr.I32 j, 1
      j = Assign.I32 %3
      LoopBack
    EndLoop
    LoopNext
    Statement 10 LoopIncrement
    %3 = Add.I32 i, 1
    i = Assign.I32 %3
    LoopBack
  EndLoop
  Statement 11 Declaration
  k = Assign.I32 n
  Loop 2
    Statement 12 LoopCondition
    %0 = Greater.I32 k, 0
    LoopTest %0
    Statement 13 Expression
    %3 = Sub.I32 k, 2
    k = Assign.I32 %3
    LoopNext
    LoopBack
  EndLoop
  Loop 3
    Statement 14 Expression
    %3 = Add.I32 k, 1
    k = Assign.I32 %3
    LoopNext
    Statement 15 LoopCondition
    %0 = Less.I32 k, n
    LoopTest %0
    LoopBack
  EndLoop
  Loop 4
    Statement 16 Condition
    %3 = Convert.I32 k
    %4 = Sub.I32 %3, 1
    k = Assign.I32 %4
    %0 = Equal.I32 %3, 0
    If %0
      Statement 17 Return
      Return
    EndIf
    LoopNext
    LoopBack
  EndLoop
*/
