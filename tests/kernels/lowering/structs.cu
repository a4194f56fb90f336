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
