#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "render/Image.h"
#include "render/RecordedValues.h"
#include "render/SceneDirector.h"
#include "render/SceneModel.h"
#include "render/ScenePalette.h"
#include "render/SceneProjection.h"

namespace haloscope::render {

/// Draws a SceneModel into a texture. Needs a current OpenGL context from its making to its end. Redraws only when the
/// model, the camera, the size, the colours or the progress of a movement changed: showing the same scene again costs
/// nothing.
class SceneRenderer {
 public:
  /// `shaders`: the folder with scene*.vert and scene*.frag. `software`: Context::isSoftware(), for which
  /// fewer samples are taken, and none for drafts. Throws ShaderError.
  SceneRenderer(const std::filesystem::path& shaders, bool software);
  ~SceneRenderer();
  SceneRenderer(const SceneRenderer&) = delete;
  SceneRenderer& operator=(const SceneRenderer&) = delete;

  /// Draws the scene of `width`×`height` pixels unless it is there already. `progress` runs from 0 to 1 while the
  /// cells that a step moved travel to their places. A `draft` will do while the picture changes from frame to frame:
  /// where the processor draws it costs a quarter and has jagged outlines. Leaves the framebuffer binding and viewport
  /// as found.
  void draw(const SceneModel& model, const SceneProjection& projection, const ScenePalette& palette,
            float progress = 1.0F, bool draft = false);

  /// Where the cells' values come from instead of the model: from the words that the GPU wrote. Null: from the model.
  void setRecorded(RecordedValues* values);

  /// The picture: an OpenGL 2D texture, bottom row first; 0 before the first draw().
  [[nodiscard]] std::uint32_t texture() const;
  [[nodiscard]] Image readPixels() const;  ///< of the texture, top row first
  /// What the picture was drawn with.
  [[nodiscard]] const SceneProjection& projection() const;
  [[nodiscard]] const ScenePalette& palette() const;
  /// The cells' values came from setRecorded(), not from the model.
  [[nodiscard]] bool drawnFromRecorded() const;
  /// Times the scene was really drawn, for tests of the cache.
  [[nodiscard]] std::uint64_t drawCount() const;

  /// What the panel remembers between frames: models, movement, the place of a drag.
  [[nodiscard]] SceneDirector& director();
  [[nodiscard]] const SceneDirector& director() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace haloscope::render
