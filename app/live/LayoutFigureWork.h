#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "live/FigureWork.h"
#include "live/NewestTask.h"
#include "state/Figures.h"

namespace haloscope {

/// Finds what the selected thread's warp needs, once the shape of the kernel is known.
class LayoutFigureWork final : public FigureWork {
 public:
  LayoutFigureWork();
  void update(AppState& state) override;
  void settle(AppState& state) override;
  [[nodiscard]] bool busy() const override { return task_.busy(); }

 private:
  struct Request {
    FoundShape found;
    std::uint32_t warp = 0;
    bool operator==(const Request& other) const {
      return found.experiment == other.found.experiment && warp == other.warp;
    }
  };
  struct Found {
    Request request;
    std::shared_ptr<const figures::WarpLayout> warp;
  };

  void request(const AppState& state);
  static void take(AppState& state, std::optional<Found> found);

  NewestTask<Request, Found> task_;
};

}  // namespace haloscope
