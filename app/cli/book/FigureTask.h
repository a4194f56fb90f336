#pragma once

#include <optional>
#include <stop_token>
#include <utility>

#include "book/FigureWork.h"
#include "state/AppState.h"
#include "work/Worker.h"

namespace haloscope {

/// The work of a figure that computes one Result from one Request.
template <typename Request, typename Result>
class FigureTask final : public FigureWork {
 public:
  using Wanted = std::optional<Request>;

  /// `wanted`: what the figure needs now; nothing while it is not shown.
  FigureTask(work::Pool& pool, Wanted (*wanted)(const AppState&),
             Result (*compute)(const Request&, const std::stop_token&), void (*receive)(AppState&, Result))
      : wanted_(wanted), receive_(receive), task_(pool, {work::Priority::Background, work::Cores::One}, compute) {}

  void update(AppState& state) override {
    if (const Wanted wanted = wanted_(state)) { task_.follow(*wanted); }
    if (auto result = task_.poll()) { receive_(state, *std::move(result)); }
  }
  [[nodiscard]] bool busy() const override { return task_.busy(); }

 private:
  void finish() override { task_.finish(); }

  Wanted (*wanted_)(const AppState&);
  void (*receive_)(AppState&, Result);
  work::Worker<Request, Result> task_;
};

}  // namespace haloscope
