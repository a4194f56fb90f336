#pragma once

#include <cstddef>
#include <future>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "field/FieldPreparation.h"
#include "field/FieldSweeper.h"
#include "program/Launch.h"
#include "program/Program.h"

namespace haloscope::field {

/// Sweeps a field with the emulator, on a worker thread: for machines without a GPU.
class FieldEmulator : public FieldSweeper {
 public:
  /// `launch` without the bytes of the pair, `field` being those of both.
  FieldEmulator(std::shared_ptr<const Program> program, Launch launch, FieldPair pair, std::vector<std::byte> field);
  ~FieldEmulator() override;

  [[nodiscard]] bool sweeping() const override { return sweep_.valid(); }
  void begin(int sweeps) override;
  [[nodiscard]] int most(double /*milliseconds*/) const override { return 1; }
  void wait() override {
    if (sweep_.valid()) { sweep_.wait(); }
  }
  bool finished() override;
  [[nodiscard]] std::span<const std::byte> field() const override { return launch_.arrays[pair_.input].bytes; }
  [[nodiscard]] const std::string& problem() const override { return problem_; }
  [[nodiscard]] std::vector<double> times() const override { return {}; }

 private:
  std::shared_ptr<const Program> program_;
  Launch launch_;
  FieldPair pair_;
  std::string problem_;
  std::stop_source stop_;
  std::future<std::string> sweep_;  ///< gives the problem; last: it uses everything above
};

}  // namespace haloscope::field
