#pragma once

#include <deque>
#include <memory>

#include "driver/KernelProcess.h"
#include "field/FieldSweeper.h"

namespace haloscope::field {

/// Sweeps a field on the GPU, in a child process.
class FieldProcess : public FieldSweeper {
 public:
  /// `process` has been started with a field of this shape. It goes on with `field`.
  FieldProcess(std::shared_ptr<gpu::KernelProcess> process, std::span<const std::byte> field);

  [[nodiscard]] bool sweeping() const override { return waited_ || process_->underway(); }
  void begin(int sweeps) override;
  [[nodiscard]] int most(double milliseconds) const override;
  void wait() override { waited_ = process_->finish() || waited_; }
  bool finished() override;
  [[nodiscard]] std::span<const std::byte> values(std::size_t) const override { return process_->field(); }
  bool write(std::size_t, std::size_t, std::span<const std::byte>) override { return false; }
  [[nodiscard]] const std::string& problem() const override { return process_->problem(); }
  [[nodiscard]] std::vector<double> times() const override { return {times_.begin(), times_.end()}; }

 private:
  std::shared_ptr<gpu::KernelProcess> process_;
  bool waited_ = false;  ///< they have finished, but finished() was not called yet
  std::deque<double> times_;
};

}  // namespace haloscope::field
