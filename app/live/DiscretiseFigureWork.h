#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "figures/DerivativeErrors.h"
#include "figures/SineSamples.h"
#include "live/FigureWork.h"
#include "live/NewestTask.h"
#include "program/KernelFile.h"

namespace haloscope {

/// Executes the catalogue's finite differences for the figure "discretise": on the samples that are chosen, and at ever
/// finer spacings in each type.
class DiscretiseFigureWork : public FigureWork {
 public:
  DiscretiseFigureWork();
  void update(AppState& state) override;
  void settle(AppState& state) override;
  [[nodiscard]] bool busy() const override;

 private:
  using Files = std::vector<KernelFile>;
  struct Request {
    std::shared_ptr<const Files> files;
    ValueType type = ValueType::F64;
    int points = 0;  ///< of the samples; 0: for the errors
    bool operator==(const Request&) const = default;
  };
  using Curves = std::vector<figures::ErrorCurve>;
  using ErrorTask = NewestTask<Request, Curves>;

  void ask(AppState& state);
  /// A type chosen in the toolbar is the figure's too, until another is chosen in the figure.
  void followPrecision(AppState& state);
  void readKernels(AppState& state);
  /// Puts what is ready into the state; with `wait` also what is not.
  void take(AppState& state, bool wait);
  void show(AppState& state) const;

  std::optional<std::int64_t> precision_;  ///< of the experiment, when it was looked at last
  std::shared_ptr<const Files> files_;     ///< those that were asked about last
  NewestTask<Request, figures::SineSamples> samples_;
  struct OfType {
    ValueType type;
    std::unique_ptr<ErrorTask> task;
    Curves curves;
  };
  std::array<OfType, 3> errors_;
};

}  // namespace haloscope
