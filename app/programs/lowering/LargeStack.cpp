#include "lowering/LargeStack.h"

#include <sys/mman.h>
#include <ucontext.h>

#include <new>

#ifdef HALOSCOPE_ADDRESS_SANITIZER
#include <sanitizer/common_interface_defs.h>
#endif

namespace haloscope::lowering {

namespace {

/// A function may have more than a page of variables, and pass over that.
constexpr std::size_t kUntouchable = std::size_t{1} << 20;

thread_local const std::function<void()>* workToDo = nullptr;

}  // namespace

LargeStack::LargeStack(std::size_t bytes) : bytes_(bytes + kUntouchable) {
  void* const mapped =
      mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  data_ = static_cast<std::byte*>(mapped);
  mprotect(data_, kUntouchable, PROT_NONE);
}

LargeStack::~LargeStack() { munmap(data_, bytes_); }

#ifdef HALOSCOPE_ADDRESS_SANITIZER
// AddressSanitizer must know on which stack the thread is.

namespace {

thread_local const void* oldBottom = nullptr;
thread_local std::size_t oldBytes = 0;

void runTold() {
  __sanitizer_finish_switch_fiber(nullptr, &oldBottom, &oldBytes);
  (*workToDo)();
  __sanitizer_start_switch_fiber(nullptr, oldBottom, oldBytes);
}

}  // namespace
#endif

void LargeStack::run(const std::function<void()>& work) {
  ucontext_t back{}, there{};
  workToDo = &work;
  getcontext(&there);
  there.uc_stack.ss_sp = data_ + kUntouchable;
  there.uc_stack.ss_size = bytes_ - kUntouchable;
  there.uc_link = &back;
#ifdef HALOSCOPE_ADDRESS_SANITIZER
  makecontext(&there, runTold, 0);
  void* fakeStack = nullptr;
  __sanitizer_start_switch_fiber(&fakeStack, there.uc_stack.ss_sp, there.uc_stack.ss_size);
  swapcontext(&back, &there);
  __sanitizer_finish_switch_fiber(fakeStack, nullptr, nullptr);
#else
  makecontext(&there, [] { (*workToDo)(); }, 0);
  swapcontext(&back, &there);
#endif
}

bool LargeStack::endsNear(const void* address) const {
  const auto* const at = static_cast<const std::byte*>(address);
  return at >= data_ && at < data_ + kUntouchable;
}

}  // namespace haloscope::lowering
