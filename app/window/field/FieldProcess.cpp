#include "field/FieldProcess.h"

#include <algorithm>
#include <utility>

#include "driver/SweepRunner.h"

namespace haloscope::field {

FieldProcess::FieldProcess(std::shared_ptr<gpu::KernelProcess> process, std::span<const std::byte> field)
    : process_(std::move(process)) {
  process_->replaceField(field);
}

void FieldProcess::begin(int sweeps) { process_->begin(sweeps); }

int FieldProcess::most(double milliseconds) const {
  if (times_.empty()) { return 1; }
  const double median = std::max(gpu::spreadOf(times()).medianMs, 1e-4);
  return static_cast<int>(std::clamp(milliseconds / median, 1.0, static_cast<double>(gpu::SweepRunner::kMostSweeps)));
}

bool FieldProcess::finished() {
  if (!std::exchange(waited_, false) && !process_->finished()) { return false; }
  if (process_->problem().empty()) {
    times_.insert(times_.end(), process_->times().begin(), process_->times().end());
    while (times_.size() > gpu::SweepRunner::kRing) { times_.pop_front(); }
  }
  return true;
}

}  // namespace haloscope::field
