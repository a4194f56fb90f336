struct Size { int nx, ny; };
struct Field { const float* data; Size size; };
struct Weights { double scale; float w[2][3]; int count; };

__device__ double sum(const Weights& all, int row) { return all.scale * all.w[row][1]; }

__global__ void kernel(Field field, Weights weights, uint3 n, float* out) {
  field.size.nx += weights.count;
  out[n.z] = field.data[field.size.ny * field.size.nx] + sum(weights, n.y);
}

/* lowered
  kernel kernel
  parameter field.data Pointer
  parameter field.size.nx I32
  parameter field.size.ny I32
  parameter weights.scale F64
  parameter weights.count I32
  parameter n.x U32
  parameter n.y U32
  parameter n.z U32
  parameter out Pointer
  object field.data[at launch] F32 Global read-only
  object weights.w[2][3] F32 Constant read-only
  object out[at launch] F32 Global
  ...
  Statement 0 Expression
  %0 = Add.I32 field.size.nx, weights.count
  field.size.nx = Assign.I32 %0
  ...
  %1 = Offset &weights.w, row, 12
  %4 = Offset %1, 1, 4
  %2 = Load.F32 [%4] weights.w
*/
