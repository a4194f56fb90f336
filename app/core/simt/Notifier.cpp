#include "simt/Notifier.h"

namespace haloscope::simt {

Notifier::Notifier(std::span<Observer* const> observers, std::size_t instructions) : accesses_(instructions) {
  for (const Observer* observer : observers) {
    Observer* const fork = forks_.emplace_back(observer->fork()).get();
    const Observer::Wants wants = fork->wants();
    if (wants.statements) { statements_.push_back(fork); }
    if (wants.instructions) { instructions_.resize(instructions); }
    for (std::uint32_t at = 0; wants.accesses && at < instructions; ++at) {
      if (fork->listensTo(at)) { accesses_[at].push_back(fork); }
    }
    for (std::uint32_t at = 0; wants.instructions && at < instructions; ++at) {
      if (fork->follows(at)) { instructions_[at].push_back(fork); }
    }
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

std::vector<bool> Notifier::observedAccesses(std::span<Observer* const> observers, std::size_t instructions) {
  std::vector<bool> observed;
  for (const Observer* observer : observers) {
    if (!observer->wants().accesses) { continue; }
    observed.resize(instructions, false);
    for (std::uint32_t at = 0; at < instructions; ++at) {
      if (observer->listensTo(at)) { observed[at] = true; }
    }
  }
  return observed;
}

void Notifier::meetCluster(std::span<Notifier* const> ranks) {
  for (std::size_t i = 0; i < ranks.front()->forks_.size(); ++i) {
    std::vector<Observer*> forks;
    for (const Notifier* rank : ranks) { forks.push_back(rank->forks_[i].get()); }
    for (Observer* fork : forks) { fork->meetCluster(forks); }
  }
}

void Notifier::joinInto(std::span<Observer* const> observers) {
  for (std::size_t i = 0; i < forks_.size(); ++i) { observers[i]->join(*forks_[i]); }
}

}  // namespace haloscope::simt
