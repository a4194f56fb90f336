#pragma once

#include <cstddef>
#include <future>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "program/Launch.h"
#include "program/Program.h"
#include "render/FieldPreparation.h"

namespace haloscope::render {

/// Sweeps a field with the emulator, on a worker thread: for machines without a GPU.
class FieldEmulator {
 public:
  /// `launch` without the bytes of the pair, `field` being those of both.
  FieldEmulator(std::shared_ptr<const Program> program, Launch launch, FieldPair pair, std::vector<std::byte> field);
  FieldEmulator(const FieldEmulator&) = delete;
  FieldEmulator& operator=(const FieldEmulator&) = delete;
  ~FieldEmulator();

  [[nodiscard]] bool sweeping() const { return sweep_.valid(); }
  /// Begins a sweep. Only while none is underway.
  void begin();
  /// Waits for the sweep that is underway; finished() then tells.
  void wait() const {
    if (sweep_.valid()) { sweep_.wait(); }
  }
  /// True, once, when the sweep has finished: field() is its output. Never waits.
  bool finished();
  /// The newest field. Not while sweeping.
  [[nodiscard]] std::span<const std::byte> field() const { return launch_.arrays[pair_.input].bytes; }
  /// Why the last sweep came to nothing; empty when it did not.
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  std::shared_ptr<const Program> program_;
  Launch launch_;
  FieldPair pair_;
  std::string problem_;
  std::stop_source stop_;
  std::future<std::string> sweep_;  ///< gives the problem; last: it uses everything above
};

}  // namespace haloscope::render
