#pragma once

namespace haloscope::preludes {

/// The replacement for <curand_kernel.h>; needs kRandomStates. Philox draws the numbers of cuRAND. The others do for
/// the subsequence 0 of XORWOW; another one begins elsewhere here, because to skip 2^67 numbers takes large tables.
inline constexpr char kRandomNumbers[] = R"cuda(
__device__ inline unsigned int haloscope_mixed(unsigned long long x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return (unsigned int)(x ^ (x >> 31));
}
template <class State> __device__ inline void haloscope_seed(State *s, unsigned long long seed, unsigned long long sequence, unsigned long long offset) {
  unsigned int t0 = 1099087573u * ((unsigned int)seed ^ 0xaad26b49u);
  unsigned int t1 = 2591861531u * ((unsigned int)(seed >> 32) ^ 0xf7dcefddu);
  unsigned int m0 = 0u, m1 = 0u, m2 = 0u;
  if (sequence != 0ull || offset != 0ull) {
    m0 = haloscope_mixed(sequence * 0x100000001b3ull + offset);
    m1 = haloscope_mixed(sequence ^ 0x5851f42d4c957f2dull);
    m2 = haloscope_mixed(sequence + offset * 0x2545f4914f6cdd1dull + 77ull);
  }
  s->d = 6615241u + t1 + t0 + m0;
  s->v[0] = (123456789u + t0) ^ m1;
  s->v[1] = 362436069u ^ t0 ^ m2;
  s->v[2] = (521288629u + t1) ^ (m0 >> 3);
  s->v[3] = 88675123u ^ t1 ^ (m1 << 5);
  s->v[4] = (5783321u + t0) ^ (m2 >> 7);
  s->boxmuller_flag = 0;
  s->boxmuller_flag_double = 0;
  s->boxmuller_extra = 0.0f;
  s->boxmuller_extra_double = 0.0;
}
template <class State> __device__ inline unsigned int haloscope_xorwow(State *s) {
  unsigned int t = s->v[0] ^ (s->v[0] >> 2);
  s->v[0] = s->v[1];
  s->v[1] = s->v[2];
  s->v[2] = s->v[3];
  s->v[3] = s->v[4];
  s->v[4] = (s->v[4] ^ (s->v[4] << 4)) ^ (t ^ (t << 1));
  s->d += 362437u;
  return s->v[4] + s->d;
}
__device__ inline uint4 haloscope_philox(uint4 c, uint2 k) {
  for (int i = 0; i < 10; ++i) {
    unsigned long long a = 0xD2511F53ull * c.x, b = 0xCD9E8D57ull * c.z;
    unsigned int y = c.y, w = c.w;
    c.x = (unsigned int)(b >> 32) ^ y ^ k.x;
    c.y = (unsigned int)b;
    c.z = (unsigned int)(a >> 32) ^ w ^ k.y;
    c.w = (unsigned int)a;
    k.x += 0x9E3779B9u;
    k.y += 0xBB67AE85u;
  }
  return c;
}
__device__ inline void haloscope_advance(curandStatePhilox4_32_10_t *s, unsigned long long by) {
  unsigned long long low = ((unsigned long long)s->ctr.y << 32 | s->ctr.x) + by;
  if (low < by) {
    unsigned long long high = ((unsigned long long)s->ctr.w << 32 | s->ctr.z) + 1ull;
    s->ctr.z = (unsigned int)high;
    s->ctr.w = (unsigned int)(high >> 32);
  }
  s->ctr.x = (unsigned int)low;
  s->ctr.y = (unsigned int)(low >> 32);
  s->output = haloscope_philox(s->ctr, s->key);
}
__device__ inline void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset, curandStateXORWOW_t *s) { haloscope_seed(s, seed, sequence, offset); }
__device__ inline void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset, curandStateMRG32k3a_t *s) { haloscope_seed(s, seed ^ 0x4d5247ull, sequence, offset); }
__device__ inline void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset, curandStatePhilox4_32_10_t *s) {
  s->ctr.x = 0u;
  s->ctr.y = 0u;
  s->ctr.z = (unsigned int)sequence;
  s->ctr.w = (unsigned int)(sequence >> 32);
  s->key.x = (unsigned int)seed;
  s->key.y = (unsigned int)(seed >> 32);
  s->STATE = (unsigned int)offset & 3u;
  s->boxmuller_flag = 0;
  s->boxmuller_flag_double = 0;
  s->boxmuller_extra = 0.0f;
  s->boxmuller_extra_double = 0.0;
  haloscope_advance(s, offset >> 2);
}
__device__ inline unsigned int curand(curandStateXORWOW_t *s) { return haloscope_xorwow(s); }
__device__ inline unsigned int curand(curandStateMRG32k3a_t *s) { return haloscope_xorwow(s); }
__device__ inline unsigned int curand(curandStatePhilox4_32_10_t *s) {
  unsigned int n = s->STATE;
  unsigned int x = n == 0u ? s->output.x : n == 1u ? s->output.y : n == 2u ? s->output.z : s->output.w;
  if (n == 3u) haloscope_advance(s, 1ull);
  s->STATE = (n + 1u) & 3u;
  return x;
}
__device__ inline uint4 curand4(curandStatePhilox4_32_10_t *s) {
  uint4 r;
  r.x = curand(s);
  r.y = curand(s);
  r.z = curand(s);
  r.w = curand(s);
  return r;
}
// In (0, 1]
__device__ inline float haloscope_uniform(unsigned int x) { return (float)x * 2.3283064e-10f + 2.3283064e-10f / 2.0f; }
__device__ inline double haloscope_uniform(unsigned int x, unsigned int y) {
  unsigned long long z = (unsigned long long)x ^ ((unsigned long long)y << 21);
  return (double)z * 1.1102230246251565e-16 + 1.1102230246251565e-16 / 2.0;
}
__device__ inline float2 haloscope_box_muller(unsigned int x, unsigned int y) {
  float u = haloscope_uniform(x), v = haloscope_uniform(y) * 6.2831855f, s = sqrtf(-2.0f * logf(u));
  float2 r;
  r.x = s * sinf(v);
  r.y = s * cosf(v);
  return r;
}
template <class State> __device__ inline float curand_uniform(State *s) { return haloscope_uniform(curand(s)); }
template <class State> __device__ inline double curand_uniform_double(State *s) {
  unsigned int x = curand(s), y = curand(s);
  return haloscope_uniform(x, y);
}
template <class State> __device__ inline float2 curand_normal2(State *s) {
  unsigned int x = curand(s), y = curand(s);
  return haloscope_box_muller(x, y);
}
template <class State> __device__ inline double2 curand_normal2_double(State *s) {
  double u = curand_uniform_double(s), v = curand_uniform_double(s) * 6.283185307179586, r = sqrt(-2.0 * log(u));
  double2 both;
  both.x = r * sin(v);
  both.y = r * cos(v);
  return both;
}
template <class State> __device__ inline float curand_normal(State *s) {
  float r = s->boxmuller_extra;
  if (s->boxmuller_flag != 1) {
    float2 both = curand_normal2(s);
    s->boxmuller_extra = both.y;
    r = both.x;
  }
  s->boxmuller_flag = 1 - s->boxmuller_flag;
  return r;
}
template <class State> __device__ inline double curand_normal_double(State *s) {
  double r = s->boxmuller_extra_double;
  if (s->boxmuller_flag_double != 1) {
    double2 both = curand_normal2_double(s);
    s->boxmuller_extra_double = both.y;
    r = both.x;
  }
  s->boxmuller_flag_double = 1 - s->boxmuller_flag_double;
  return r;
}
template <class State> __device__ inline float curand_log_normal(State *s, float mean, float deviation) { return expf(mean + deviation * curand_normal(s)); }
template <class State> __device__ inline double curand_log_normal_double(State *s, double mean, double deviation) { return exp(mean + deviation * curand_normal_double(s)); }
__device__ inline float4 curand_uniform4(curandStatePhilox4_32_10_t *s) {
  float4 r;
  r.x = curand_uniform(s);
  r.y = curand_uniform(s);
  r.z = curand_uniform(s);
  r.w = curand_uniform(s);
  return r;
}
__device__ inline float4 curand_normal4(curandStatePhilox4_32_10_t *s) {
  float2 a = curand_normal2(s), b = curand_normal2(s);
  float4 r;
  r.x = a.x;
  r.y = a.y;
  r.z = b.x;
  r.w = b.y;
  return r;
}
template <class State> __device__ inline unsigned int curand_poisson(State *s, double lambda) {
  if (lambda > 64.0) {
    double near = lambda + sqrt(lambda) * curand_normal_double(s) + 0.5;
    return near < 0.0 ? 0u : (unsigned int)near;
  }
  double least = exp(-lambda), product = curand_uniform_double(s);
  unsigned int count = 0u;
  while (product > least) {
    product *= curand_uniform_double(s);
    ++count;
  }
  return count;
}
)cuda";

}  // namespace haloscope::preludes
