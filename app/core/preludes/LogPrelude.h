#pragma once

namespace haloscope::preludes {

/// The logging functions that an instrumented text calls; see program/BlockLog.h. `words`, `counts` and the rest are
/// set before the launch; with HALOSCOPE_LOG_WORDS they are arrays, for tests that cannot set pointers. HALOSCOPE_CLOCK
/// is the multiprocessor's clock.
inline constexpr char kLogPrelude[] = R"cuda(
#ifndef HALOSCOPE_CLOCK
#define HALOSCOPE_CLOCK() ((unsigned int)clock())
#endif
namespace haloscope_log {
#ifdef HALOSCOPE_LOG_WORDS
__device__ unsigned int words[HALOSCOPE_LOG_WORDS], counts[1024];
#else
__device__ unsigned int *words, *counts;
#endif
__device__ unsigned int capacity;
__device__ unsigned int focus[3];

/// Where to write the payload of an entry; null in other blocks, and if there is no room left. Called: a copy at each
/// statement of an unrolled kernel makes the compiler take up to seven times as long.
__device__ __noinline__ inline unsigned int *room(unsigned int kind, unsigned int site, unsigned int payload) {
  if (blockIdx.x != focus[0] || blockIdx.y != focus[1] || blockIdx.z != focus[2]) return nullptr;
  unsigned int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  unsigned int used = counts[thread];
  counts[thread] = used + 1u + payload;
  if (used + 1u + payload > capacity) return nullptr;
  unsigned int *at = words + ((unsigned long long)thread * capacity + used);
  at[0] = kind << 28 | payload << 20 | site;
  return at + 1;
}

__device__ inline unsigned long long bits(float value) { return (unsigned int)__float_as_int(value); }
__device__ inline unsigned long long bits(double value) { return (unsigned long long)__double_as_longlong(value); }
template <class T> __device__ inline unsigned long long bits(T value) { return (unsigned long long)value; }

template <class T> __device__ constexpr unsigned int sizeOf() { return (unsigned int)(sizeof(T) + 3) / 4; }

template <class T> struct IsArray { static constexpr bool value = false; };
template <class T, unsigned long n> struct IsArray<T[n]> { static constexpr bool value = true; };

__device__ inline void putWords(unsigned int *at, const unsigned int *from, unsigned int count) {
  for (unsigned int i = 0; i < count; ++i) at[i] = from[i];
}
template <class T> __device__ inline void put(unsigned int *at, const T &value) {
  if constexpr (IsArray<T>::value) {
    putWords(at, (const unsigned int *)&value, sizeOf<T>());
  } else if constexpr (__is_class(T)) {
    T copy = value;  // has an address, unlike a struct in registers
    if constexpr (sizeof(T) == 2) {
      at[0] = *(const unsigned short *)&copy;
    } else {
      putWords(at, (const unsigned int *)&copy, sizeOf<T>());
    }
  } else {
    unsigned long long all = bits(value);
    at[0] = (unsigned int)all;
    if constexpr (sizeof(T) == 8) at[1] = (unsigned int)(all >> 32);
  }
}
__device__ inline void putAddress(unsigned int *at, unsigned long long address) {
  at[0] = (unsigned int)address;
  at[1] = (unsigned int)(address >> 32);
}

__device__ inline void at(unsigned int site) {
  if (unsigned int *to = room(1, site, 1)) to[0] = HALOSCOPE_CLOCK();
}
template <class T> __device__ inline void access(unsigned int kind, unsigned int site, unsigned long long address,
                                                 const T &value) {
  if (unsigned int *to = room(kind, site, 2 + sizeOf<T>())) {
    putAddress(to, address);
    put<T>(to + 2, value);
  }
}
/// The value of an element, read once.
template <class T> __device__ inline T read(unsigned int site, const T &element) {
  T value = element;
  access<T>(2, site, (unsigned long long)&element, value);
  return value;
}
template <class T> __device__ inline T read(unsigned int site, const volatile T &element) {
  T value = element;
  access<T>(2, site, (unsigned long long)&element, value);
  return value;
}
/// An element about to be changed.
template <class T> __device__ inline T &before(unsigned int site, T &element) {
  access<T>(2, site, (unsigned long long)&element, element);
  return element;
}
/// A value that a function read at an address.
template <class T, class P> __device__ inline T readAt(unsigned int site, T value, P *address) {
  access<T>(2, site, (unsigned long long)address, value);
  return value;
}
/// An element that has been written.
template <class T> __device__ inline T &written(unsigned int site, T &element) {
  access<T>(3, site, (unsigned long long)&element, element);
  return element;
}
template <class P> __device__ inline void writtenAt(unsigned int site, const P *address) {
  access<P>(3, site, (unsigned long long)address, *address);
}
/// ... by x++, whose value is the old one.
template <class R, class T> __device__ inline R writtenAfter(unsigned int site, R result, T &element) {
  access<T>(3, site, (unsigned long long)&element, element);
  return result;
}
template <class T> __device__ inline void variable(unsigned int site, const T &value) {
  if (unsigned int *to = room(4, site, sizeOf<T>())) put<T>(to, value);
}
/// A variable that has been assigned.
template <class T> __device__ inline T &assigned(unsigned int site, T &value) {
  variable<T>(site, value);
  return value;
}
/// ... one member of it.
template <class R, class T> __device__ inline R assignedAfter(unsigned int site, R result, const T &value) {
  variable<T>(site, value);
  return result;
}
template <class T> __device__ inline T initial(unsigned int site, T value) {
  variable<T>(site, value);
  return value;
}
template <class T, class A>
__device__ inline T atomic(unsigned int site, T old, const volatile void *address, A operand) {
  if (unsigned int *to = room(5, site, 2 + 2 * sizeOf<T>())) {
    putAddress(to, (unsigned long long)address);
    put<T>(to + 2, old);
    put<T>(to + 2 + sizeOf<T>(), (T)operand);
  }
  return old;
}
template <class T, class A, class B>
__device__ inline T atomic(unsigned int site, T old, const volatile void *address, A operand, B other) {
  if (unsigned int *to = room(5, site, 2 + 3 * sizeOf<T>())) {
    putAddress(to, (unsigned long long)address);
    put<T>(to + 2, old);
    put<T>(to + 2 + sizeOf<T>(), (T)operand);
    put<T>(to + 2 + 2 * sizeOf<T>(), (T)other);
  }
  return old;
}
__device__ inline void enter(unsigned int site) { room(6, site, 0); }
__device__ inline void library(unsigned int site) { room(11, site, 0); }
__device__ inline void begin() { room(7, 0, 0); }
__device__ inline void leave() { room(8, 0, 0); }
template <class T> __device__ inline T left(T value) {
  leave();
  return value;
}
template <class T> __device__ inline T &leftAt(T &place) {
  leave();
  return place;
}
__device__ inline void place(unsigned int site, unsigned long long address) {
  if (unsigned int *to = room(9, site, 2)) putAddress(to, address);
}
/// An argument of a shuffle.
template <class T> __device__ inline T lane(unsigned int site, T value) {
  if (unsigned int *to = room(10, site, 1)) to[0] = (unsigned int)value;
  return value;
}
}
)cuda";

}  // namespace haloscope::preludes
