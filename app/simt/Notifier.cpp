#include "simt/Notifier.h"

namespace haloscope::simt {

Notifier::Notifier(std::span<Observer* const> observers) {
  for (const Observer* observer : observers) {
    Observer* const fork = forks_.emplace_back(observer->fork()).get();
    const Observer::Wants wants = fork->wants();
    if (wants.statements) { statements_.push_back(fork); }
    if (wants.instructions) { instructions_.push_back(fork); }
    if (wants.accesses) { accesses_.push_back(fork); }
    all_.push_back(fork);
  }
}

Observer::Wants Notifier::wants(std::span<Observer* const> observers) {
  Observer::Wants all;
  for (const Observer* observer : observers) {
    const Observer::Wants wants = observer->wants();
    all.statements |= wants.statements;
    all.instructions |= wants.instructions;
    all.accesses |= wants.accesses;
  }
  return all;
}

void Notifier::joinInto(std::span<Observer* const> observers) {
  for (std::size_t i = 0; i < forks_.size(); ++i) { observers[i]->join(*forks_[i]); }
}

}  // namespace haloscope::simt
