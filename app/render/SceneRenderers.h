#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "render/SceneRenderer.h"

namespace haloscope::render {

/// A renderer for each scene on screen, made when it is first asked for.
class SceneRenderers {
 public:
  /// As SceneRenderer.
  SceneRenderers(std::filesystem::path shaders, bool software) : shaders_(std::move(shaders)), software_(software) {
    at(0);
  }

  SceneRenderer& at(std::size_t index) {
    while (renderers_.size() <= index) { renderers_.push_back(std::make_unique<SceneRenderer>(shaders_, software_)); }
    return *renderers_[index];
  }

  /// What the first scene's values come from; see SceneRenderer::setRecorded().
  void setRecorded(RecordedValues* values) { at(0).setRecorded(values); }

  /// Destroys those beyond this number of scenes on screen.
  void keep(std::size_t count) {
    if (count < renderers_.size()) { renderers_.resize(std::max<std::size_t>(count, 1)); }
  }

  /// Whether a step's movement is playing in some scene.
  [[nodiscard]] bool moving() const {
    for (const auto& renderer : renderers_) {
      if (renderer->director().moving()) { return true; }
    }
    return false;
  }

 private:
  std::filesystem::path shaders_;
  bool software_ = false;
  std::vector<std::unique_ptr<SceneRenderer>> renderers_;
};

}  // namespace haloscope::render
