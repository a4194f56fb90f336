// How many accesses of a GPU a struct takes follows from its alignment, as with nvcc.
struct Plain { float x, y, z, w; };
struct alignas(8) Halved { float x, y, z, w; };
struct alignas(16) Padded { float x, y, z; };
struct alignas(8) Mixed { int count; float value; };
struct alignas(8) Apart { float x; double y; };
struct alignas(16) Uneven { float x, y, z; short s; };
__global__ void kernel(Plain* plain, Halved* halved, float3* three, uchar4* bytes, float* raw) {
  plain[1] = plain[0];
  halved[1] = halved[0];
  three[1] = three[0];
  bytes[1] = bytes[0];
  *reinterpret_cast<Padded*>(raw + 4) = Padded{1.0f, 2.0f, 3.0f};
  *reinterpret_cast<Mixed*>(raw + 8) = Mixed{1, 2.0f};
  *reinterpret_cast<Apart*>(raw + 12) = Apart{1.0f, 2.0};
  *reinterpret_cast<Uneven*>(raw + 16) = Uneven{1.0f, 2.0f, 3.0f, 4};
}

/* lowered
  Store.F32 [%7], %0 plain
  %8 = Offset %7, 4l, 1
  Store.F32 [%8], %2 plain
  ...
  %6 = Load.F32 [halved] halved part 0 of 8 bytes
  %10 = Offset halved, 4l, 1
  %4 = Load.F32 [%10] halved part 1 of 8 bytes
  %9 = Offset halved, 8l, 1
  %2 = Load.F32 [%9] halved part 0 of 8 bytes
  %8 = Offset halved, 12l, 1
  %0 = Load.F32 [%8] halved part 1 of 8 bytes
  ...
  %0 = Load.F32 [three] three
  %1 = Offset three, 4l, 1
  %2 = Load.F32 [%1] three
  ...
  Store.U8 [%3], %11 bytes part 0 of 4 bytes
  %1 = Offset %3, 1l, 1
  Store.U8 [%1], %12 bytes part 1 of 4 bytes
  ...
  Store.F32 [%10], 1.0f raw part 0 of 16 bytes
  %9 = Offset %10, 4l, 1
  Store.F32 [%9], 2.0f raw part 1 of 16 bytes
  %1 = Offset %10, 8l, 1
  Store.F32 [%1], 3.0f raw part 2 of 16 bytes
  Statement 5 Expression
  %1 = Offset raw, 8, 4
  Store.I32 [%1], 1 raw part 0 of 8 bytes
  %9 = Offset %1, 4l, 1
  Store.F32 [%9], 2.0f raw part 1 of 8 bytes
  Statement 6 Expression
  %9 = Offset raw, 12, 4
  Store.F32 [%9], 1.0f raw
  %1 = Offset %9, 8l, 1
  Store.F64 [%1], 2.0 raw
  Statement 7 Expression
  %1 = Offset raw, 16, 4
  Store.F32 [%1], 1.0f raw part 0 of 8 bytes
  %9 = Offset %1, 4l, 1
  Store.F32 [%9], 2.0f raw part 1 of 8 bytes
  %10 = Offset %1, 8l, 1
  Store.F32 [%10], 3.0f raw
  %3 = Offset %1, 12l, 1
  Store.I16 [%3], 4 raw
*/
