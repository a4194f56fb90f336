#include "state/ChoiceHistory.h"

#include <optional>
#include <utility>

#include "state/AppState.h"

namespace haloscope {

bool Chosen::operator==(const Chosen& other) const {
  return choice == other.choice && launched == other.launched && overrides.sameSettings(other.overrides);
}

Chosen chosenNow(const AppState& state) {
  Chosen now{.choice = state.choice};
  if (const auto launch = state.launches.find(state.choice.kernel); launch != state.launches.end()) {
    now.overrides.takeSettings(launch->second.overrides);  // without the texts and data that come with them
    now.launched = launch->second.kernel;
  }
  return now;
}

void ChoiceHistory::note(const Chosen& now, bool changing) {
  constexpr std::size_t kMost = 500;
  if (!current_) { current_ = now; }
  if (changing || now == *current_) { return; }
  past_.push_back(std::exchange(*current_, now));
  if (past_.size() > kMost) { past_.pop_front(); }
  undone_.clear();
}

std::optional<Chosen> ChoiceHistory::back(const Chosen& now) {
  note(now, false);
  if (past_.empty()) { return std::nullopt; }
  undone_.push_back(std::exchange(*current_, past_.back()));
  past_.pop_back();
  return current_;
}

std::optional<Chosen> ChoiceHistory::forward(const Chosen& now) {
  note(now, false);
  if (undone_.empty()) { return std::nullopt; }
  past_.push_back(std::exchange(*current_, undone_.back()));
  undone_.pop_back();
  return current_;
}

}  // namespace haloscope
