#pragma once

#include <memory>
#include <optional>
#include <string>

#include "live/FigureWork.h"
#include "live/NewestTask.h"
#include "state/Figures.h"

namespace haloscope {

/// Finds what the points around the focused block are to it, while the figure shows it.
class BoundaryFigureWork final : public FigureWork {
 public:
  struct Found {
    std::shared_ptr<const experiment::Experiment> experiment;
    std::shared_ptr<const figures::BlockBoundary> boundary;
    std::string problem;
  };

  BoundaryFigureWork();
  void update(AppState& state) override;
  void settle(AppState& state) override;
  [[nodiscard]] bool busy() const override { return task_.busy(); }

 private:
  using Wanted = std::shared_ptr<const experiment::Experiment>;

  void request(const AppState& state);
  static void take(AppState& state, std::optional<Found> found);

  NewestTask<Wanted, Found> task_;
};

}  // namespace haloscope
