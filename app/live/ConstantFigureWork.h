#pragma once

#include <memory>

#include "live/FigureWork.h"
#include "live/NewestTask.h"
#include "state/Figures.h"

namespace haloscope {

/// Adds up what the experiment's kernel keeps in constant memory, once for each experiment.
class ConstantFigureWork final : public FigureWork {
 public:
  ConstantFigureWork();
  void update(AppState& state) override;
  void settle(AppState& state) override;
  [[nodiscard]] bool busy() const override { return task_.busy(); }

 private:
  void request(const AppState& state);

  using Wanted = std::shared_ptr<const experiment::Experiment>;
  NewestTask<Wanted, ConstantFigure> task_;
};

}  // namespace haloscope
