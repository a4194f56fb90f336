#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "host/HostProgram.h"

/// The sizes that a program itself offers to change, so that what is too large can be executed smaller.
namespace haloscope::running {

/// An argument of main(), or a macro, constant or variable whose value is a number in the text.
struct OfferedSize {
  /// Bytes of a text that hold the value.
  struct Text {
    std::string file;  ///< or a header, by its name
    std::size_t offset = 0, length = 0;
    std::string suffix{};  ///< of the literal: "ULL"
  };

  std::string name;          ///< empty: an argument
  std::size_t argument = 0;  ///< index into the arguments, without the program's name
  host::HostPlace at{};      ///< where the text first has it
  std::int64_t value = 0;
  bool repeats = false;     ///< it counts steps, not points
  std::vector<Text> texts;  ///< each place that gives it this value
};

/// A size that was changed.
struct ChangedSize {
  OfferedSize size;
  std::int64_t value = 0;  ///< the new one

  bool operator==(const ChangedSize& other) const {
    return size.name == other.size.name && size.argument == other.size.argument && value == other.value;
  }
};

/// "N", or "argument 2" of main().
[[nodiscard]] std::string nameOf(const OfferedSize& size);
/// "N = 8192 and STEPS = 100": the program's own values, or the new ones.
[[nodiscard]] std::string ownValues(const std::vector<ChangedSize>& sizes);
[[nodiscard]] std::string newValues(const std::vector<ChangedSize>& sizes);

/// Which sizes are offered: those that make a program large, or every number that may be one.
enum class Offered : std::uint8_t { Large, Any };

/// The large ones are those of more than 32 steps or 64 points; sizes of blocks, tiles and filters, as their names have
/// it, are none. In the order of the texts, arguments first.
[[nodiscard]] std::vector<OfferedSize> offeredSizes(const host::HostProgram& program,
                                                    const std::vector<std::string>& arguments,
                                                    Offered which = Offered::Large);

/// The program with other values. Every line stays where it is, and every column but those behind a value that is
/// longer than the text it replaces, such as 1048573 for `1<<20`.
[[nodiscard]] host::HostProgram withSizes(host::HostProgram program, const std::vector<ChangedSize>& sizes);
[[nodiscard]] std::vector<std::string> withSizes(std::vector<std::string> arguments,
                                                 const std::vector<ChangedSize>& sizes);

}  // namespace haloscope::running
