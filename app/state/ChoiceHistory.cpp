#include "state/ChoiceHistory.h"

#include <utility>

#include "state/AppState.h"

namespace haloscope {

void ChoiceHistory::note(const experiment::Choice& now, bool changing) {
  constexpr std::size_t kMost = 500;
  if (!current_) { current_ = now; }
  if (changing || now == *current_) { return; }
  past_.push_back(std::exchange(*current_, now));
  if (past_.size() > kMost) { past_.pop_front(); }
  undone_.clear();
}

std::optional<experiment::Choice> ChoiceHistory::back(const experiment::Choice& now) {
  note(now, false);
  if (past_.empty()) { return std::nullopt; }
  undone_.push_back(std::exchange(*current_, past_.back()));
  past_.pop_back();
  return current_;
}

std::optional<experiment::Choice> ChoiceHistory::forward(const experiment::Choice& now) {
  note(now, false);
  if (undone_.empty()) { return std::nullopt; }
  past_.push_back(std::exchange(*current_, undone_.back()));
  undone_.pop_back();
  return current_;
}

void undoChoice(AppState& state) {
  if (auto before = state.history.back(state.choice)) { state.choice = *std::move(before); }
}

void redoChoice(AppState& state) {
  if (auto after = state.history.forward(state.choice)) { state.choice = *std::move(after); }
}

}  // namespace haloscope
