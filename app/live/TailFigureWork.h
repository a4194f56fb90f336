#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "figures/CodeReport.h"
#include "figures/LaunchTail.h"
#include "figures/TailCells.h"
#include "live/FigureWork.h"
#include "live/NewestTask.h"

namespace haloscope {

/// Executes the grid at the sizes of the tail's figure, and computes the curve around them.
class TailFigureWork final : public FigureWork {
 public:
  TailFigureWork();
  void update(AppState& state) override;
  void settle(AppState& state) override;
  [[nodiscard]] bool busy() const override { return count_.busy() || curve_.busy(); }

 private:
  struct CountRequest {
    std::shared_ptr<const KernelFile> file;
    Bindings bindings;
    bool operator==(const CountRequest&) const = default;
  };
  struct CurveRequest {
    std::shared_ptr<const KernelFile> file;
    Bindings bindings;
    std::string size;
    std::int64_t lowest = 1, highest = 1;
    figures::CodeTarget target;
    bool operator==(const CurveRequest&) const = default;
  };
  struct Count {
    std::shared_ptr<const figures::LaunchTail> tail;
    std::shared_ptr<const figures::TailCells> cells;
  };
  struct Curve {
    std::shared_ptr<const figures::TailCurve> curve;
    figures::CodeReport code;
  };

  static void receive(AppState& state, Count count);
  static void receive(AppState& state, Curve curve);

  std::shared_ptr<const KernelFile> file_;  ///< the same one as long as the text is
  NewestTask<CountRequest, Count> count_;
  NewestTask<CurveRequest, Curve> curve_;
};

}  // namespace haloscope
