#include "checking/ReferencePairing.h"

#include <algorithm>
#include <string>
#include <utility>

#include "checking/TakenCoefficients.h"

namespace haloscope::checking {

namespace {

/// Each costs an execution.
constexpr std::size_t kMostPairings = 48;
constexpr std::size_t kMostChoices = 720;

struct Slot {
  std::string name;
  ValueType type = ValueType::I32;
  bool written = false;
  bool isPointer = false;
  std::int64_t count = 1;

  [[nodiscard]] bool fits(const Slot& other) const {
    return written == other.written && isFloating(type) == isFloating(other.type) &&
           (type == ValueType::Pointer) == (other.type == ValueType::Pointer);
  }
};
using Slots = std::vector<Slot>;

Slots arraysOf(const SiblingRunner& runner) {
  Slots slots;
  const Program& program = runner.program();
  for (std::size_t i = 0; i < runner.arrays.size(); ++i) {
    const MemoryObject& object = program.objects[runner.arrays[i]];
    const bool pointer =
        std::ranges::find(program.parameters, runner.arrays[i], &Parameter::object) != program.parameters.end();
    slots.push_back({object.name, object.element, runner.written[i], pointer,
                     runner.launch.arrays[runner.arrays[i]].elementCount()});
  }
  return slots;
}

Slots scalarsOf(const SiblingRunner& runner) {
  Slots slots;
  for (const std::size_t scalar : runner.scalars) {
    const Parameter& parameter = runner.program().parameters[scalar];
    slots.push_back({parameter.name, parameter.type});
  }
  return slots;
}

using Choice = std::vector<std::optional<std::size_t>>;

/// All ways to give each of `wanted` one of `offered`, the likeliest first.
class Choices {
 public:
  Choices(const Slots& wanted, const Slots& offered, bool (*optional)(const Slot&))
      : wanted_(wanted), offered_(offered), optional_(optional), taken_(offered.size(), false) {}

  std::vector<Choice> all() {
    choose();
    std::ranges::stable_sort(all_, {}, [&](const Choice& one) { return otherNames(one); });
    return std::move(all_);
  }

 private:
  [[nodiscard]] std::size_t otherNames(const Choice& choice) const {
    std::size_t others = 0;
    for (std::size_t i = 0; i < choice.size(); ++i) {
      others += choice[i] && offered_[*choice[i]].name == wanted_[i].name ? 0 : 1;
    }
    return others;
  }

  void choose() {
    if (all_.size() == kMostChoices) { return; }
    const std::size_t at = chosen_.size();
    if (at == wanted_.size()) {
      all_.push_back(chosen_);
      return;
    }
    std::vector<std::size_t> candidates;
    for (std::size_t i = 0; i < offered_.size(); ++i) {
      if (!taken_[i] && offered_[i].fits(wanted_[at])) { candidates.push_back(i); }
    }
    const auto unlikeness = [&](std::size_t i) {
      const bool same = offered_[i].name == wanted_[at].name;
      return std::pair(same ? 0 : 1, i < at ? at - i : i - at);
    };
    std::ranges::stable_sort(candidates, {}, unlikeness);
    for (const std::size_t i : candidates) {
      taken_[i] = true;
      chosen_.emplace_back(i);
      choose();
      chosen_.pop_back();
      taken_[i] = false;
    }
    // Of fewer, each may be one that is not there; no more of them are.
    const auto of = [&](const Slot& one) { return one.fits(wanted_[at]); };
    auto missing = std::ranges::count_if(wanted_, of) - std::ranges::count_if(offered_, of);
    for (std::size_t i = 0; i < at; ++i) { missing -= !chosen_[i] && of(wanted_[i]) ? 1 : 0; }
    if (missing <= 0 || !optional_(wanted_[at])) { return; }
    chosen_.emplace_back(std::nullopt);
    choose();
    chosen_.pop_back();
  }

  const Slots& wanted_;
  const Slots& offered_;
  bool (*optional_)(const Slot&);
  std::vector<bool> taken_;
  Choice chosen_;
  std::vector<Choice> all_;
};

/// If two lists have the same members, the place of each among the other's.
std::optional<Choice> byNames(const Slots& wanted, const Slots& offered) {
  if (wanted.size() != offered.size()) { return std::nullopt; }
  Choice places;
  for (const Slot& one : wanted) {
    const auto place =
        std::ranges::find_if(offered, [&](const Slot& other) { return other.name == one.name && other.fits(one); });
    if (place == offered.end()) { return std::nullopt; }
    places.emplace_back(static_cast<std::size_t>(place - offered.begin()));
  }
  return places;
}

Choice inOrder(std::size_t count) {
  Choice order;
  for (std::size_t i = 0; i < count; ++i) { order.emplace_back(i); }
  return order;
}

}  // namespace

std::vector<Pairing> pairingsOf(const SiblingRunner& own, const SiblingRunner& reference) {
  const Slots ownArrays = arraysOf(own);
  const Slots theirArrays = arraysOf(reference);
  const Slots ownScalars = scalarsOf(own);
  const Slots theirScalars = scalarsOf(reference);
  const auto agree = [](const Slots& a, const Slots& b) {
    return a.size() == b.size() && std::ranges::equal(a, b, [](const Slot& x, const Slot& y) {
             return x.written == y.written && x.type == y.type && x.isPointer == y.isPointer;
           });
  };
  if (parametersOf(own.program()) == parametersOf(reference.program()) && agree(ownArrays, theirArrays)) {
    return {{inOrder(theirArrays.size()), inOrder(theirScalars.size())}};
  }
  // A filter may be in the text instead; and so may any number.
  const auto choices = [](const Slots& wanted, const Slots& offered, bool (*optional)(const Slot&)) {
    std::optional<Choice> named = byNames(wanted, offered);
    return named ? std::vector<Choice>{std::move(*named)} : Choices(wanted, offered, optional).all();
  };
  const std::vector<Choice> arrays =
      choices(theirArrays, ownArrays, [](const Slot& one) { return !one.written && one.count <= kMaxCoefficients; });
  const std::vector<Choice> scalars = choices(theirScalars, ownScalars, [](const Slot&) { return true; });
  std::vector<Pairing> pairings;
  for (const Choice& scalar : scalars) {
    for (const Choice& array : arrays) {
      if (pairings.size() < kMostPairings) { pairings.push_back({array, scalar}); }
    }
  }
  return pairings;
}

}  // namespace haloscope::checking
