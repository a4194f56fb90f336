#include "documents/ViewMemory.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "documents/FileText.h"
#include "state/ViewActions.h"

namespace haloscope {

ViewMemory::ViewMemory(std::filesystem::path file)
    : file_(std::move(file)), light_(View().light), scale_(View().scale) {
  const std::optional<std::string> text = file_.empty() ? std::nullopt : readWhole(file_);
  const nlohmann::json json = text ? nlohmann::json::parse(*text, nullptr, false) : nlohmann::json();
  if (!json.is_object()) { return; }
  if (const auto light = json.find("light"); light != json.end() && light->is_boolean()) {
    light_ = light->get<bool>();
  }
  if (const auto scale = json.find("text scale"); scale != json.end() && scale->is_number()) {
    scale_ = std::clamp(scale->get<float>(), kSmallestTextScale, kLargestTextScale);
  }
  if (const auto code = json.find("language"); code != json.end() && code->is_string()) {
    language_ = languageWithCode(code->get<std::string>());
  }
  if (const auto keys = json.find("keys used"); keys != json.end() && keys->is_array()) {
    for (const nlohmann::json& key : *keys) {
      if (key.is_string()) { keysUsed_.insert(key.get<std::string>()); }
    }
  }
}

void ViewMemory::restore(View& view) const {
  if (file_.empty()) { return; }
  view.light = light_;
  view.scale = scale_;
  view.keysUsed = keysUsed_;
  if (!view.language) { view.language = language_; }
}

bool ViewMemory::remember(const View& view) {
  if (view.light == light_ && view.scale == scale_ && view.language == language_ && view.keysUsed == keysUsed_) {
    return false;
  }
  light_ = view.light;
  scale_ = view.scale;
  language_ = view.language;
  keysUsed_ = view.keysUsed;
  return true;
}

std::string ViewMemory::text() const {
  const double tenths = std::round(static_cast<double>(scale_) * 10) / 10;
  nlohmann::json json{{"light", light_}, {"text scale", tenths}, {"keys used", keysUsed_}};
  if (language_) { json["language"] = languageCode(*language_); }
  return json.dump(1);
}

}  // namespace haloscope
