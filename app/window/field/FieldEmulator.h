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
  /// `launch` without the bytes of the arrays, which `values` are.
  FieldEmulator(work::Pool& pool, std::shared_ptr<const Program> program, Launch launch, FieldArrays arrays,
                const FieldValues& values);

  [[nodiscard]] bool sweeping() const override { return sweep_.busy(); }
  void begin(int sweeps) override;
  [[nodiscard]] int most(double milliseconds) const override;
  void wait() override { sweep_.finish(); }
  bool finished() override;
  [[nodiscard]] std::span<const std::byte> values(std::size_t place) const override {
    return launch_.arrays[arrays_.objects[place]].bytes;
  }
  bool write(std::size_t place, std::size_t offset, std::span<const std::byte> bytes) override;
  [[nodiscard]] const std::string& problem() const override { return problem_; }
  [[nodiscard]] std::vector<double> times() const override { return {}; }
  [[nodiscard]] bool byMachineCode() const override { return machineCode_; }

 private:
  struct Swept {
    std::string problem{};
    double sweepMs = 0;
    bool machineCode = false;
  };
  [[nodiscard]] Swept sweep(int sweeps, const std::stop_token& stop);

  std::shared_ptr<const Program> program_;
  Launch launch_;
  FieldArrays arrays_;
  std::vector<ObjectId> successors_;  ///< of the arrays' objects
  std::size_t alternating_ = kNone;   ///< place of the parameter
  bool machineCode_ = false;
  double sweepMs_ = 0;  ///< of the last one; 0: none was swept
  std::string problem_;
  work::Worker<int, Swept> sweep_;  ///< of a number of sweeps
};

}  // namespace haloscope::field
