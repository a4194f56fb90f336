#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiment/Experiment.h"
#include "lessons/Setting.h"
#include "parts/Panels.h"
#include "program/Catalogue.h"
#include "program/Launch.h"

namespace haloscope::lessons {

/// A moment of a block's execution, as a link or an animation names it.
struct Moment {
  enum class Kind : std::uint8_t { None, Step, Barrier, Plane, At, End };
  Kind kind = Kind::None;
  std::int64_t number = 0;  ///< of the step, barrier interval or plane
  std::string text{};       ///< of Kind::At: see questions::stepAt()
  bool operator==(const Moment&) const = default;
};

/// What a link sets in the window.
struct WindowLink {
  Setting setting;  ///< complete
  std::optional<Dim3> thread;
  Moment moment;
  std::optional<Tab> tab;
  std::string figure, camera;
  std::vector<std::int64_t> element;  ///< of the output, slowest axis first
  std::vector<std::string> compare;   ///< further variants
};

using LinkPairs = std::vector<std::pair<std::string, std::string>>;

/// The text of a link, in which %28 stands for an opening bracket.
[[nodiscard]] std::string decodedLink(std::string_view text);
/// "barrier=1&thread=3,2,0" as pairs, decoded. Throws InputError.
[[nodiscard]] LinkPairs linkPairs(std::string_view query);

/// What the link does not name stays as in `around`. Throws InputError for an unknown key, and for a value that the
/// catalogue or the window does not know.
[[nodiscard]] WindowLink parseWindowLink(const LinkPairs& pairs, const Catalogue& catalogue, const Setting& around);

/// The position in the execution's recording; where a thread is given, of a step in which it takes part. Throws
/// InputError if there is none.
[[nodiscard]] std::size_t positionOf(const Moment& moment, std::optional<std::uint32_t> thread,
                                     const experiment::Experiment& of);
/// The output element that a link selects, if it names one. Throws InputError if the block does not write it.
[[nodiscard]] std::optional<std::int64_t> elementOf(const WindowLink& link, const experiment::Experiment& of);
/// The thread that a link selects, linear in the block. Throws InputError if there is none.
[[nodiscard]] std::optional<std::uint32_t> threadOf(const WindowLink& link, const experiment::Experiment& of);

/// "1,2,3". Throws InputError, which names the key.
[[nodiscard]] std::vector<std::int64_t> parseIndices(const std::string& text, const std::string& key);
/// "1,2,3" as a block or a thread, x first; missing ones are 0. Throws InputError.
[[nodiscard]] Dim3 parsePlace(const std::string& text, const char* key);

}  // namespace haloscope::lessons
