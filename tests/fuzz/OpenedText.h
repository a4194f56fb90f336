#pragma once

#include <cstddef>
#include <string>
#include <vector>

/// What opening a file does to its text, within bounds of time and memory that suit millions of texts.
namespace haloscope::fuzz {

/// The result of opening a text.
struct Opened {
  std::size_t kernels = 0;            ///< that can be launched
  std::size_t checked = 0;            ///< of those, the ones within the limits of a check here
  std::vector<std::string> messages;  ///< why the others cannot, one sentence each
};

/// Opens a kernel file, checks each of its kernels and records a block of the first. Throws std::logic_error where the
/// program breaks a promise: an error of another kind than its own, an empty message, neither a kernel nor a message.
Opened openText(const std::string& text);

/// Reads the header and the host's code without Clang, which is a hundred times as quick; evaluates what they say of
/// the launch. Throws as openText does.
Opened openHeader(const std::string& text);

}  // namespace haloscope::fuzz
