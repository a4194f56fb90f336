// What the program would take from glibc 2.35 and 2.36 and from GCC 12's libstdc++, as older ones have it.

#include <pthread.h>

#include <sys/random.h>

#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <mutex>

extern "C" {

__asm__(".symver older_hypot, hypot@GLIBC_2.2.5");
__asm__(".symver older_hypotf, hypotf@GLIBC_2.2.5");
double older_hypot(double, double);
float older_hypotf(float, float);

// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
__attribute__((visibility("hidden"))) double hypot(double x, double y) { return older_hypot(x, y); }
__attribute__((visibility("hidden"))) float hypotf(float x, float y) { return older_hypotf(x, y); }

__attribute__((visibility("hidden"))) std::uint32_t arc4random() {
  std::uint32_t bits = 0;
  if (getrandom(&bits, sizeof bits, 0) != sizeof bits) { std::abort(); }
  return bits;
}
/// std::condition_variable::wait(), whose version is GLIBCXX_3.4.30.
__attribute__((visibility("hidden"))) void _ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(
    std::condition_variable* self, std::unique_lock<std::mutex>* lock) {
  pthread_cond_wait(self->native_handle(), lock->mutex()->native_handle());
}
// NOLINTEND(readability-inconsistent-declaration-parameter-name)

}  // extern "C"
