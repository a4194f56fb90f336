#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiment/Experiment.h"
#include "program/Launch.h"

/// Places of an execution as links of lessons and session files name them. What a kernel or a block does not have is an
/// InputError that names the key.
namespace haloscope {

/// A moment of a block's execution.
struct Moment {
  enum class Kind : std::uint8_t { None, Step, Barrier, Plane, At, End };
  Kind kind = Kind::None;
  std::int64_t number = 0;  ///< of the step, barrier interval or plane
  std::string text{};       ///< of Kind::At: see questions::stepAt()
  bool operator==(const Moment&) const = default;
};

/// step, barrier, plane, at or end with its value; nothing for another key.
[[nodiscard]] std::optional<Moment> momentOf(const std::string& key, const std::string& value);
/// Key and value; both empty for Kind::None.
[[nodiscard]] std::pair<std::string, std::string> momentText(const Moment& moment);

/// The position in the execution's recording; where a thread is given, of a step in which it takes part.
[[nodiscard]] std::size_t positionOf(const Moment& moment, std::optional<std::uint32_t> thread,
                                     const experiment::Experiment& of);
/// The output element with these indices, slowest axis first; nothing for none. The block must write it.
[[nodiscard]] std::optional<std::int64_t> elementAt(const std::vector<std::int64_t>& indices,
                                                    const experiment::Experiment& of);
/// The thread, linear in the block.
[[nodiscard]] std::optional<std::uint32_t> threadAt(const std::optional<Dim3>& thread,
                                                    const experiment::Experiment& of);

[[nodiscard]] std::int64_t wholeNumber(const std::string& text, const std::string& key);
/// "1,2,3".
[[nodiscard]] std::vector<std::int64_t> parseIndices(const std::string& text, const std::string& key);
/// "1,2,3" as a block or a thread, x first; missing ones are 0.
[[nodiscard]] Dim3 parsePlace(const std::string& text, const char* key);
void expectInside(const Dim3& at, const Dim3& extent, const char* key);

}  // namespace haloscope
