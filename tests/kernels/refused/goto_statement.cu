__global__ void k(float* a) {
  if (a[0] > 1) goto end;
  a[0] = 1;
end:
  return;
}
// error 2:17: unsupported: goto statement
