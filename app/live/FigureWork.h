#pragma once

#include <memory>
#include <vector>

namespace haloscope {

struct AppState;

/// Computes what one figure shows, beside the frames, and puts it into the state.
class FigureWork {
 public:
  FigureWork() = default;
  FigureWork(const FigureWork&) = delete;
  FigureWork& operator=(const FigureWork&) = delete;
  virtual ~FigureWork() = default;

  /// Once a frame: asks for what is wanted now, takes what is ready. Never waits.
  virtual void update(AppState& state) = 0;
  /// Waits for what is wanted now.
  virtual void settle(AppState& state) = 0;
  [[nodiscard]] virtual bool busy() const = 0;
};

/// One of each figure that needs it.
[[nodiscard]] std::vector<std::unique_ptr<FigureWork>> figureWorks();

}  // namespace haloscope
