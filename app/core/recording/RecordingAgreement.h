#pragma once

#include <optional>
#include <string>

#include "recording/Recording.h"

namespace haloscope::recording {

/// Two recordings of one block of one kernel, compared: within each barrier interval the same threads should have
/// accessed the same elements with the same instructions and values, assigned the same values to the same variables,
/// and left the same values in shared memory. The order within an interval does not matter.
struct RecordingAgreement {
  std::size_t intervals = 0;
  std::size_t accesses = 0;      ///< of single lanes, compared
  std::size_t assignments = 0;   ///< to variables, compared
  std::size_t sharedValues = 0;  ///< elements of shared memory at the end of the intervals, compared
  std::size_t missing = 0;       ///< accesses, assignments or intervals that one of the two lacks
  std::size_t different = 0;     ///< values that differ in a bit
  std::size_t elsewhere = 0;     ///< of those: another element, an integer or an address, or not a number
  std::size_t uncertain =
      0;  ///< what an atomic operation found, and what was assigned from it: depends on the order of threads
  std::size_t indeterminate = 0;  ///< uninitialised values, for which any bits will do: poison in the first recording
  double maxUlps = 0;             ///< greatest distance of two floating-point values, in units in the last place

  /// Where they first differ.
  struct First {
    std::size_t step = 0;  ///< of the second recording
    SourceRange where;     ///< in the text
    std::string sentence;  ///< which thread, which element, both values
  };
  std::optional<First> first;

  /// The same but for floating-point values that are numbers on both sides.
  [[nodiscard]] bool sameButForRounding() const { return missing == 0 && elsewhere == 0; }
  [[nodiscard]] bool same() const { return missing == 0 && different == 0; }
};

/// `first` is the emulator's. Both must be of one program, launch and block. Throws InputError if they are not.
[[nodiscard]] RecordingAgreement compare(const Recording& first, const Recording& second);

}  // namespace haloscope::recording
