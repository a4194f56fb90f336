#pragma once

#include <cstddef>
#include <functional>

namespace haloscope::lowering {

/// A stack on which work can recurse deeply; only touched pages cost memory. Below it is memory that nothing may touch.
class LargeStack {
 public:
  /// Throws std::bad_alloc.
  explicit LargeStack(std::size_t bytes);
  LargeStack(const LargeStack&) = delete;
  LargeStack& operator=(const LargeStack&) = delete;
  ~LargeStack();

  /// Does `work`, which must not throw, in this thread. A thread of its own would have a large stack, too, but a
  /// process without threads can be confined further.
  void run(const std::function<void()>& work);
  /// Whether an access there was one too many calls. For handlers of signals.
  [[nodiscard]] bool endsNear(const void* address) const;

 private:
  std::byte* data_ = nullptr;
  std::size_t bytes_;
};

}  // namespace haloscope::lowering
