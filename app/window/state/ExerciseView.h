#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "catalogue/Catalogue.h"
#include "exercises/Worked.h"

namespace haloscope {

/// The exercise that is shown, what was typed, and its answers, which the App fills in while the panel is in front.
struct ExerciseView {
  Catalogue kernels;                                ///< of the exercises themselves
  std::string id;                                   ///< empty: the first
  exercises::Typed typed;                           ///< in the fields; empty: as the exercise begins
  std::map<std::string, std::string> predictions;   ///< by part
  std::set<std::string> shown;                      ///< parts whose answers are shown
  std::uint64_t draws = 0;                          ///< how often other numbers were drawn
  std::shared_ptr<const exercises::Worked> worked;  ///< the last good one
  std::string problem;                              ///< of what is typed now, one sentence; empty: none
};

}  // namespace haloscope
