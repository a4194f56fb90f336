// Sections fall through until a break; `continue` is for the loop around the switch.
__global__ void kernel(int* out, int n) {
  for (int i = 0; i < n; ++i) {
    switch (out[i]) {
      case 0:
      case 1: out[i] = 5; break;
      case 2: out[i] = 6;
      default: out[i] += 1;
        if (n > 9) continue;
    }
    out[n] = i;
  }
}

/* lowered
  Statement 0 LoopInit
  i = Assign.I32 0
  Loop 0
    Statement 1 LoopCondition
    %0 = Less.I32 i, n
    LoopTest %0
    Statement 2 Switch
    %1 = Offset out, i, 4
    %2 = Load.I32 [%1] out
    %0 = Equal.I32 %2, 0
    %3 = Equal.I32 %2, 1
    %4 = Or.Bool %0, %3
    %5 = Equal.I32 %2, 2
    %6 = Or.Bool %4, %5
    %7 = LogicalNot.Bool %6
    %8 = Assign.Bool false
    Loop once
      If %4
        Statement 3 Expression
        %1 = Offset out, i, 4
        Store.I32 [%1], 5 out
        Statement 4 Break
        Break
      EndIf
      %6 = Or.Bool %4, %5
      If %6
        Statement 5 Expression
        %1 = Offset out, i, 4
        Store.I32 [%1], 6 out
      EndIf
      %5 = Or.Bool %6, %7
      If %5
        Statement 6 Expression
        %1 = Offset out, i, 4
        %2 = Load.I32 [%1] out
        %9 = Add.I32 %2, 1
        Store.I32 [%1], %9 out
        Statement 7 Condition
        %5 = Greater.I32 n, 9
        If %5
          Statement 8 Continue
          %8 = Assign.Bool true
          Break
        EndIf
      EndIf
    EndLoop
    If %8
      Continue
    EndIf
    Statement 9 Expression
    %1 = Offset out, n, 4
    Store.I32 [%1], i out
    LoopNext
    Statement 10 LoopIncrement
    %9 = Add.I32 i, 1
    i = Assign.I32 %9
    LoopBack
  EndLoop
*/
