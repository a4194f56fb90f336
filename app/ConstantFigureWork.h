#pragma once

#include <memory>

#include "FigureWork.h"
#include "Figures.h"
#include "figures/NewestTask.h"

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
  figures::NewestTask<Wanted, ConstantFigure> task_;
};

}  // namespace haloscope
