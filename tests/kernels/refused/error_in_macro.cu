// The place is where the macro is used.
#define STORE(array, value) array[0] = value.field
__global__ void kernel(int* out, int n) {
  STORE(out, n);
}
// error 4:3: member reference base type 'int' is not a structure or union
