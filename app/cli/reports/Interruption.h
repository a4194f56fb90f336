#pragma once

#include <csignal>
#include <stop_token>
#include <thread>

namespace haloscope {

/// For as long as it lives, Ctrl + C and SIGTERM ask the program to stop instead of ending it; the second time they end
/// it. To be made before the threads that it is to protect: those inherit that the signals wait.
class Interruption {
 public:
  Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  ~Interruption();

  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

 private:
  sigset_t before_{};
  std::stop_source source_;
  std::jthread waiting_;
};

}  // namespace haloscope
