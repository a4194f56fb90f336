#include <algorithm>
#include <cmath>

#include "actions/ViewActions.h"
#include "documents/Memory.h"

namespace haloscope {

namespace {

void restoreView(const nlohmann::json& content, AppState& state) {
  View& view = state.view;
  view.light = flagIn(content, "light", view.light);
  view.reducedMotion = flagIn(content, "reduced motion", view.reducedMotion);
  if (const auto scale = content.find("text scale"); scale != content.end() && scale->is_number()) {
    view.scale = std::clamp(scale->get<float>(), kSmallestTextScale, kLargestTextScale);
  }
  if (!view.language) { view.language = languageWithCode(wordIn(content, "language")); }
  const std::vector<std::string> keys = wordsIn(content, "keys used");
  view.keysUsed.insert(keys.begin(), keys.end());
}

void writeView(const AppState& state, nlohmann::json& content) {
  const View& view = state.view;
  content["light"] = view.light;
  content["reduced motion"] = view.reducedMotion;
  content["text scale"] = std::round(static_cast<double>(view.scale) * 10) / 10;
  content["keys used"] = view.keysUsed;
  if (view.language) { content["language"] = languageCode(*view.language); }
}

}  // namespace

const MemoryKind kViewMemory = {"view.json", false, restoreView, writeView};

}  // namespace haloscope
