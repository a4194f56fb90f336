#pragma once

#include <optional>
#include <string>

#include "inputs/ChosenData.h"
#include "program/Program.h"

namespace haloscope {

/// An array's data while the user chooses them: a number for one element, or a pattern for all.
struct TypedCell {
  std::string array;                          ///< empty: nothing is typed
  std::optional<inputs::ElementIndex> index;  ///< of the element; none: the array as a whole
  std::string text;                           ///< the number as typed so far
  std::string file;                           ///< the path of a file of numbers, as typed so far
  std::string refusal;                        ///< why what was entered is not taken: a sentence; empty: nothing was
  std::string reading{};                      ///< "@FILE" that is read; empty: none
  bool opens = false;                         ///< the dialog is to come up
  bool taken = false;                         ///< what was read: the dialog is to close
};

}  // namespace haloscope
