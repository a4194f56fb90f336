#include "work/LowPriority.h"

#include <sys/resource.h>

#include <exception>
#include <thread>

namespace haloscope::work {

void atLowPriority(const std::function<void()>& work) {
  std::exception_ptr thrown;
  std::jthread([&] {
    constexpr int kNice = 10;                                  // about a tenth of a core where another thread wants it
    static_cast<void>(::setpriority(PRIO_PROCESS, 0, kNice));  // on Linux: of the calling thread
    try {
      work();
    } catch (...) { thrown = std::current_exception(); }
  }).join();
  if (thrown) { std::rethrow_exception(thrown); }
}

}  // namespace haloscope::work
