#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace haloscope::frontend {

/// A program of one of the page's texts, for the macros that it was lowered with.
struct StoredVariant {
  std::string file;  ///< whose text it is
  std::map<std::string, std::string> defines;
  std::vector<std::byte> program;  ///< see program/StoredProgram.h
};

/// From now on compile() finds these in place of lowering a text.
void offer(std::vector<StoredVariant> variants);

}  // namespace haloscope::frontend
