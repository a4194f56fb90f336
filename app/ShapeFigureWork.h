#pragma once

#include <memory>

#include "FigureWork.h"
#include "Figures.h"
#include "figures/NewestTask.h"

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
  figures::NewestTask<Wanted, FoundShape> task_;
};

}  // namespace haloscope
