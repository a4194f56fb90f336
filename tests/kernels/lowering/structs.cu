// A struct in registers is one variable per field.
struct Cell {
  int row, column;
  __device__ Cell shifted(int by) const { return {row + by, column}; }
};

__global__ void kernel(float* out, int n) {
  Cell cell = {1, n};
  Cell next = cell.shifted(2);
  next.column = cell.row;
  cell = next;
  out[cell.row] = cell.column;
}

/* lowered
  variable out Pointer
  variable n I32
  variable cell.row I32
  variable cell.column I32
  variable by I32 of shifted
  variable next.row I32
  variable next.column I32
  ...
  Statement 0 Declaration
  cell.row = Assign.I32 1
  cell.column = Assign.I32 n
  Statement 1 Declaration
  Call shifted
    by = Assign.I32 2
    Statement 2 Return
    %0 = Add.I32 cell.row, by
  EndCall
  Statement 1 Declaration
  next.row = Assign.I32 %0
  next.column = Assign.I32 cell.column
  Statement 3 Expression
  next.column = Assign.I32 cell.row
  Statement 4 Expression
  cell.row = Assign.I32 next.row
  cell.column = Assign.I32 next.column
  Statement 5 Expression
  %1 = Convert.F32 cell.column
  %2 = Offset out, cell.row, 4
  Store.F32 [%2], %1 out
*/
