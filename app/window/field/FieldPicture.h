#pragma once

#include <cstdint>
#include <filesystem>

#include "render/FieldBricks.h"
#include "render/FieldGrid.h"
#include "render/FieldRenderer.h"
#include "state/AppState.h"

namespace haloscope::field {

/// The picture of a field: drawn again where something has changed, with colours whose range goes smoothly after that
/// of the values. Make, use and destroy it while the OpenGL context is current.
class FieldPicture {
 public:
  /// `shaders` is the folder with field_*.comp; `software`: OpenGL runs on the processor, so what moves is drawn
  /// coarsely. Throws FieldShaderError.
  FieldPicture(const std::filesystem::path& shaders, bool software);

  /// The values have changed since the picture was drawn.
  void noteChange() { dataChanged_ = true; }
  /// The next field is another one: its range is shown at once.
  void forgetRange() { rangeKnown_ = false; }
  /// There is no field any more.
  void clear();
  /// Once a frame. `field` is the shader storage buffer with the values of `grid`; `grey`: as a picture. Throws
  /// InputError as FieldBricks::update.
  void draw(const render::FieldGrid& grid, std::uint32_t field, const FieldControls& controls, bool grey);

  /// True while the next frame would show something else: the range moves, or the picture is to be refined.
  [[nodiscard]] bool changes() const { return !rangeReached() || coarse_ || dataChanged_; }
  [[nodiscard]] bool searching() const { return bricks_.searching(); }
  /// At the ends of the colour scale.
  [[nodiscard]] render::FieldRange range() const { return ends_; }
  [[nodiscard]] std::uint32_t texture() const { return renderer_.texture(); }

 private:
  void updateRange(const render::FieldGrid& grid, std::uint32_t field, const FieldControls& controls);
  [[nodiscard]] bool rangeReached() const;
  [[nodiscard]] render::FieldView viewOf(const render::FieldGrid& grid, const FieldControls& controls, bool grey) const;

  bool software_;
  render::FieldBricks bricks_;
  render::FieldRenderer renderer_;
  bool dataChanged_ = false;  ///< since the picture was drawn
  bool bricksStale_ = false;  ///< the values have changed since the bricks were found
  bool coarse_ = false;       ///< the picture is to be refined
  bool rangeKnown_ = false;
  render::FieldRange range_, shown_;  ///< found, and on its way there
  render::FieldRange ends_;           ///< of the colour scale
  render::FieldView wanted_;
};

}  // namespace haloscope::field
