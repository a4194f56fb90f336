#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "field/FieldPreparation.h"
#include "field/FieldSweeper.h"
#include "program/Launch.h"
#include "program/Program.h"
#include "work/Worker.h"

namespace haloscope::field {

/// Sweeps a field with the emulator, on the pool: for machines without a GPU.
class FieldEmulator : public FieldSweeper {
 public:
  /// `launch` without the bytes of the pair, `field` being those of both.
  FieldEmulator(work::Pool& pool, std::shared_ptr<const Program> program, Launch launch, FieldPair pair,
                std::vector<std::byte> field);

  [[nodiscard]] bool sweeping() const override { return sweep_.busy(); }
  void begin(int sweeps) override;
  [[nodiscard]] int most(double /*milliseconds*/) const override { return 1; }
  void wait() override { sweep_.finish(); }
  bool finished() override;
  [[nodiscard]] std::span<const std::byte> field() const override { return launch_.arrays[pair_.input].bytes; }
  [[nodiscard]] const std::string& problem() const override { return problem_; }
  [[nodiscard]] std::vector<double> times() const override { return {}; }

 private:
  std::shared_ptr<const Program> program_;
  Launch launch_;
  FieldPair pair_;
  std::string problem_;
  work::Worker<int, std::string> sweep_;  ///< of a number of sweeps; gives the problem
};

}  // namespace haloscope::field
