__device__ constexpr int side(int r) { return 2 * r + 1; }
__global__ void classify(const int* in, int* out, int n) {
  const int weights[3] = {1, 2, 1};
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = 0, o = 0;
  do {
    int at = i + o - 1;
    if (at < 0 || at >= n) continue;
    sum += weights[o] * (in[at] + at);
  } while (++o < side(1));
  bool odd = sum & 1, far = i > n / 2;
  switch ((odd ? 1 : 0) + (far ? 2 : 0)) {
    case 0: sum += 10; break;
    case 1: sum += 20;
    case 2: sum += 30; break;
    default: sum = -sum;
  }
  int a, b;
  for (a = 0, b = 3; a < b; ++a, --b) sum ^= a * b + 5;
  out[i] = static_cast<int>(sum) + 1000;
}
// expects: classify clean 1000
