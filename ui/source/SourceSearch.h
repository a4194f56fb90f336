#pragma once

#include <string_view>
#include <vector>

#include "frontend/CodeText.h"
#include "state/AppState.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// Where a text has what is searched for: bytes [begin, end) of a line, from 0.
struct Occurrence {
  int line = 0, begin = 0, end = 0;
  bool operator==(const Occurrence&) const = default;
};

/// From the first line on, whatever case the letters have. None of an empty query.
[[nodiscard]] std::vector<Occurrence> occurrencesOf(std::string_view query, const std::vector<CodeLine>& lines);

/// The row with the field, how many there are, and the way to the next and the previous one. Nothing unless
/// SourceSearch::open asks for it. Returns what is found.
std::vector<Occurrence> drawSourceSearch(AppState& state, const Theme& theme, const std::vector<CodeLine>& lines);

}  // namespace haloscope::ui
