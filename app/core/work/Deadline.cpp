#include "work/Deadline.h"

#include <utility>

namespace haloscope::work {

Deadline::Deadline(std::chrono::steady_clock::duration time, std::stop_token other)
    : watch_([this, until = std::chrono::steady_clock::now() + time,
              other = std::move(other)](const std::stop_token& done) {
        const std::stop_callback asked(other, [this] { source_.request_stop(); });
        std::unique_lock lock(mutex_);
        changed_.wait_until(lock, done, until, [] { return false; });
        if (done.stop_requested()) { return; }
        passed_ = true;
        source_.request_stop();
        changed_.wait(lock, done, [] { return false; });
      }) {}

}  // namespace haloscope::work
