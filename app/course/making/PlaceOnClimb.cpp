#include "making/PlaceOnClimb.h"

#include <algorithm>
#include <utility>

#include "catalogue/Climb.h"
#include "experiment/Experiment.h"
#include "language/Text.h"

namespace haloscope::making {

std::string PlaceOnClimb::sentence() const {
  const char* const name = tr(climb);
  if (!reached) {
    return at.empty()
               ? trf("The task leads one rung above {} on the climb “{}”; this kernel is not there yet.", below, name)
               : trf("The task leads to the rung {} of the climb “{}”; this kernel is not there yet.", at, name);
  }
  if (at.empty()) { return trf("On the climb “{}” it is one rung above {}.", name, below); }
  if (below.empty()) { return trf("On the climb “{}” it is the lowest rung, {}.", name, at); }
  return trf("On the climb “{}” it is the rung {}, one above {}.", name, at, below);
}

std::optional<PlaceOnClimb> placeOnClimb(const MakeTask& task, const Catalogue& catalogue,
                                         const figures::RungCosts& own, const std::stop_token& stop) {
  const std::string& known = task.rung.empty() ? task.above : task.rung;
  const std::vector<Climb> all = climbs(catalogue);
  const auto climb =
      std::ranges::find_if(all, [&](const Climb& one) { return !known.empty() && one.find(known) != nullptr; });
  if (climb == all.end()) { return std::nullopt; }
  PlaceOnClimb place{.climb = climb->name, .at = task.rung, .below = task.above, .rows = {}};
  if (!task.rung.empty()) { place.below = catalogue.at(task.rung).extends; }
  const auto add = [&](const std::string& id) {
    if (id.empty()) { return; }
    const KernelFile& variant = catalogue.at(id);
    place.rows.push_back(figures::countRung(variant, variant.bind(experiment::carryOver(own.bindings, variant)), stop));
  };
  add(place.below);
  place.rows.push_back(own);
  add(place.at);
  return place;
}

}  // namespace haloscope::making
