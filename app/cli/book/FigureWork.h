#pragma once

namespace haloscope {

struct AppState;

/// Computes in the background what one figure shows, and puts it into the state.
class FigureWork {
 public:
  FigureWork() = default;
  FigureWork(const FigureWork&) = delete;
  FigureWork& operator=(const FigureWork&) = delete;
  virtual ~FigureWork() = default;

  /// Once a frame: requests what the figure needs now, takes what is ready. Never waits.
  virtual void update(AppState& state) = 0;
  /// Waits for what the figure needs now.
  virtual void settle(AppState& state) {
    for (update(state); busy(); update(state)) { finish(); }
  }
  [[nodiscard]] virtual bool busy() const = 0;

 private:
  /// Waits until what was requested has been made, for update() to take.
  virtual void finish() = 0;
};

}  // namespace haloscope
