#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
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

  SceneRenderer& at(std::size_t index) { return in(renderers_, index); }
  /// Of the pictures in a text.
  SceneRenderer& inText(std::size_t index) { return in(inText_, index); }

  /// What the first scene's values come from; see SceneRenderer::setRecorded().
  void setRecorded(RecordedValues* values) { at(0).setRecorded(values); }

  /// Destroys those beyond this number of scenes on screen.
  void keep(std::size_t count) {
    if (count < renderers_.size()) { renderers_.resize(std::max<std::size_t>(count, 1)); }
  }

  void keepInText(std::size_t count) {
    if (count < inText_.size()) { inText_.resize(count); }
  }

  /// Whether a step's movement is playing in some scene.
  [[nodiscard]] bool moving() const {
    const auto moves = [](const auto& renderer) { return renderer->director().moving(); };
    return std::ranges::any_of(renderers_, moves) || std::ranges::any_of(inText_, moves);
  }

  /// The one that draws into a texture; null: none does.
  [[nodiscard]] const SceneRenderer* showing(std::uint32_t texture) const {
    for (const auto* renderers : {&renderers_, &inText_}) {
      for (const auto& renderer : *renderers) {
        if (renderer->texture() == texture) { return renderer.get(); }
      }
    }
    return nullptr;
  }

 private:
  using Renderers = std::vector<std::unique_ptr<SceneRenderer>>;

  SceneRenderer& in(Renderers& renderers, std::size_t index) {
    while (renderers.size() <= index) { renderers.push_back(std::make_unique<SceneRenderer>(shaders_, software_)); }
    return *renderers[index];
  }

  std::filesystem::path shaders_;
  bool software_ = false;
  Renderers renderers_, inText_;
};

}  // namespace haloscope::render
