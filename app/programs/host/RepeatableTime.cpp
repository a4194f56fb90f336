#include "host/RepeatableTime.h"

#include <sys/time.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <ctime>

namespace haloscope::host {

namespace {

constexpr std::int64_t kNanoseconds = 1'000'000'000;
/// Of each call: a program that waits until some time has passed comes to its end.
constexpr std::int64_t kStep = 1'000'000;
/// A day in 2023.
constexpr std::int64_t kBegin = 1'700'000'000;

std::int64_t passed() {
  static std::atomic<std::int64_t> calls{0};
  return kStep * ++calls;
}

int clockGetTime(clockid_t /*clock*/, timespec* time) {
  const std::int64_t now = passed();
  *time = {.tv_sec = kBegin + now / kNanoseconds, .tv_nsec = now % kNanoseconds};
  return 0;
}
int getTimeOfDay(timeval* time, void* /*zone*/) {
  const std::int64_t now = passed();
  if (time != nullptr) { *time = {.tv_sec = kBegin + now / kNanoseconds, .tv_usec = now % kNanoseconds / 1000}; }
  return 0;
}
time_t timeNow(time_t* time) {
  const time_t now = kBegin + passed() / kNanoseconds;
  if (time != nullptr) { *time = now; }
  return now;
}
clock_t clockNow() { return passed() / (kNanoseconds / CLOCKS_PER_SEC); }
int timespecGet(timespec* time, int base) {
  clockGetTime(CLOCK_REALTIME, time);
  return base;
}
/// As std::chrono's clocks return it: a number of nanoseconds.
std::int64_t nanosecondsNow() { return kBegin * kNanoseconds + passed(); }
double secondsNow() { return static_cast<double>(passed()) / static_cast<double>(kNanoseconds); }
std::uint32_t randomNumber(void* /*device*/) {
  static std::atomic<std::uint32_t> last{1};
  return last = last * 1664525U + 1013904223U;
}

template <typename Function>
void* entryOf(Function* function) {
  return reinterpret_cast<void*>(function);
}

}  // namespace

GuestSymbols repeatableTime() {
  return {
      {"clock_gettime", entryOf(clockGetTime)},
      {"gettimeofday", entryOf(getTimeOfDay)},
      {"time", entryOf(timeNow)},
      {"clock", entryOf(clockNow)},
      {"timespec_get", entryOf(timespecGet)},
      {"omp_get_wtime", entryOf(secondsNow)},
      {"_ZNSt6chrono3_V212steady_clock3nowEv", entryOf(nanosecondsNow)},
      {"_ZNSt6chrono3_V212system_clock3nowEv", entryOf(nanosecondsNow)},
      {"_ZNSt13random_device9_M_getvalEv", entryOf(randomNumber)},
  };
}

}  // namespace haloscope::host
