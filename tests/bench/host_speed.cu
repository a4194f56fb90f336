// Host code as students write it, timed by itself; host_speed.py compares it with the same code built natively. The
// first calls of functions that take arrays are watched, and take longer; the others count.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

constexpr int kSide = 128, kImage = 2048, kRadius = 2;

void sweep(const float* in, float* out, int n) {
  for (int z = 1; z < n - 1; ++z) {
    for (int y = 1; y < n - 1; ++y) {
      for (int x = 1; x < n - 1; ++x) {
        const int i = (z * n + y) * n + x;
        out[i] = 0.4f * in[i] + 0.1f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - n * n] + in[i + n * n]);
      }
    }
  }
}

void convolve(const std::vector<float>& in, std::vector<float>& out, const float* filter, int n) {
  for (int y = kRadius; y < n - kRadius; ++y) {
    for (int x = kRadius; x < n - kRadius; ++x) {
      float sum = 0;
      for (int j = -kRadius; j <= kRadius; ++j) {
        for (int i = -kRadius; i <= kRadius; ++i) {
          sum += filter[(j + kRadius) * (2 * kRadius + 1) + i + kRadius] * in[(y + j) * n + x + i];
        }
      }
      out[y * n + x] = sum;
    }
  }
}

double sumOf(const std::vector<double>& values) {
  double sum = 0;
  for (const double one : values) sum += one;
  return sum;
}

// The piece that the program's argument names: the shortest of some runs, as what else the machine does is not measured.
const char* wanted = "";
template <typename Prepare>
void measure(const char* name, int times, Prepare prepare) {
  if (std::string(wanted) != name) return;
  auto task = prepare();
  double best = 1e9;
  for (int i = 0; i < times; ++i) {
    const auto began = std::chrono::steady_clock::now();
    task();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
  }
  std::printf("%s %.6f\n", name, best);
}

std::vector<float> randoms(int count) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform;
  std::vector<float> all(count);
  for (float& one : all) one = uniform(random);
  return all;
}

int main(int argc, char** argv) {
  if (argc > 1) wanted = argv[1];
  double result = 0;
  measure("sweep_128", 40, [] {
    return [a = randoms(kSide * kSide * kSide), b = std::vector<float>(kSide * kSide * kSide)]() mutable {
      sweep(a.data(), b.data(), kSide);
      std::swap(a, b);
    };
  });
  std::vector<float> blurred(kImage * kImage);
  measure("convolution_2048", 16, [&] {
    return [&, image = randoms(kImage * kImage), filter = randoms(25)] {
      convolve(image, blurred, filter.data(), kImage);
    };
  });
  measure("sort_10M", 2, [&] {
    return [&, unsorted = randoms(10'000'000)] {
      std::vector<float> sorted = unsorted;
      std::sort(sorted.begin(), sorted.end());
      result += sorted[5000];
    };
  });
  measure("vector_sum_4M", 20, [&] {
    return [&, values = std::vector<double>(4'000'000, 0.5)] { result += sumOf(values); };
  });
  measure("push_back_4M", 8, [&] {
    return [&] {
      std::vector<int> grown;
      for (int i = 0; i < 4'000'000; ++i) grown.push_back(i);
      result += grown[12345];
    };
  });
  std::printf("# %g %g\n", result, static_cast<double>(blurred[5000]));
}
