#include "reports/Interruption.h"

#include <pthread.h>

#include <ctime>

namespace haloscope {

namespace {

sigset_t interruptions() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  return signals;
}

}  // namespace

Interruption::Interruption() {
  const sigset_t signals = interruptions();
  pthread_sigmask(SIG_BLOCK, &signals, &before_);
  waiting_ = std::jthread([this, signals](const std::stop_token& end) {
    const timespec turn{.tv_sec = 0, .tv_nsec = 50'000'000};
    bool asked = false;
    while (!end.stop_requested()) {
      if (asked) {
        nanosleep(&turn, nullptr);
      } else if (sigtimedwait(&signals, nullptr, &turn) > 0) {
        asked = true;
        source_.request_stop();
        pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);  // the second one ends the program in this thread
      }
    }
  });
}

Interruption::~Interruption() {
  waiting_ = {};
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace haloscope
