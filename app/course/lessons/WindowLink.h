#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catalogue/Catalogue.h"
#include "lessons/Setting.h"
#include "parts/Panels.h"
#include "program/Launch.h"
#include "questions/NamedPlaces.h"

namespace haloscope::lessons {

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

}  // namespace haloscope::lessons
