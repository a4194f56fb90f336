#include "ui/scene/JoinedLegend.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "ui/scene/SceneLabels.h"

namespace haloscope::ui {

namespace {

constexpr std::string_view kOr = " / ";

/// Appends the words that are not there yet; both may be of several, as "output / next plane".
void addWords(std::string& words, std::string_view more) {
  while (!more.empty()) {
    const std::size_t end = std::min(more.find(kOr), more.size());
    const std::string_view word = more.substr(0, end);
    const std::string known = std::string(kOr).append(words).append(kOr);
    if (known.find(std::string(kOr).append(word).append(kOr)) == std::string::npos) { words.append(kOr).append(word); }
    more.remove_prefix(std::min(more.size(), end + kOr.size()));
  }
}

}  // namespace

std::vector<render::SceneLegendEntry> joinedLegend(const Theme& theme,
                                                   std::span<const render::SceneLegendEntry> entries) {
  std::vector<render::SceneLegendEntry> joined;
  for (const render::SceneLegendEntry& entry : entries) {
    const auto same = std::ranges::find_if(joined, [&](const render::SceneLegendEntry& other) {
      return sceneColour(theme, other.colour) == sceneColour(theme, entry.colour) && other.style == entry.style &&
             other.opacity == entry.opacity;
    });
    if (same == joined.end()) {
      joined.push_back(entry);
    } else {
      addWords(same->word, entry.word);
    }
  }
  return joined;
}

}  // namespace haloscope::ui
