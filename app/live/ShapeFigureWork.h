#pragma once

#include <memory>

#include "live/FigureWork.h"
#include "live/NewestTask.h"
#include "state/Figures.h"

namespace haloscope {

/// Finds the shape of the experiment's kernel, for the figures that show it.
class ShapeFigureWork final : public FigureWork {
 public:
  ShapeFigureWork();
  void update(AppState& state) override;
  void settle(AppState& state) override;
  [[nodiscard]] bool busy() const override { return task_.busy(); }

 private:
  void request(const AppState& state);

  using Wanted = std::shared_ptr<const experiment::Experiment>;
  NewestTask<Wanted, FoundShape> task_;
};

}  // namespace haloscope
