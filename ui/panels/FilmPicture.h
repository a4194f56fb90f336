#pragma once

#include <imgui.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "recording/Film.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// Draws what the barrier intervals of a film did as small pictures of the block's planes: those that come from global
/// memory, those that are copied on, and the outputs written so far.
class FilmPicture {
 public:
  /// `carriers`: a colour each, as carrierColours() has them. `film` must outlive the picture.
  FilmPicture(ImDrawList* list, const Theme& theme, const recording::Film& film, std::vector<ImU32> carriers)
      : list_(list), theme_(theme), film_(film), carriers_(std::move(carriers)) {}

  /// Of a frame, in the middle of a rectangle on the screen; dimmed if it is yet to come. Its parts are beside each
  /// other or, where that makes them larger, below each other. Where even small ones have no room, outputs are drawn
  /// rather than copies, and those rather than loads; nothing where that has none either. A frame without any of these
  /// names what takes most of its time.
  void draw(std::size_t frame, ImVec2 min, ImVec2 max, bool toCome);

 private:
  /// A part of a picture: planes in a row, or the stack of outputs. Lengths in halves of a plane's width.
  struct Part {
    recording::FilmEvent::Kind kind = recording::FilmEvent::Kind::Load;
    std::vector<std::uint32_t> carriers;  ///< in the row; kNone: values that no carrier keeps
    float width = 0, height = 0;
    float half = 0;  ///< half a plane's width in pixels
  };

  [[nodiscard]] std::vector<Part> partsOf(const recording::FilmFrame& frame) const;
  /// How parts lie in a rectangle.
  struct Arrangement {
    bool column = false;
    float gap = 0;   ///< between parts, in pixels
    float half = 0;  ///< the largest that has room, for all parts
  };
  [[nodiscard]] Arrangement arrange(const std::vector<Part>& parts, ImVec2 size) const;
  /// Sizes the parts for a rectangle, and takes out those without room.
  Arrangement fit(std::vector<Part>& parts, ImVec2 size) const;
  void drawRow(const recording::FilmFrame& frame, const Part& part, ImVec2 min) const;
  void drawArrowDown(ImVec2 plane, float half) const;
  void drawCopy(ImVec2 from, ImVec2 to, float half) const;
  void drawOutputs(const recording::FilmFrame& frame, const Part& part, ImVec2 min) const;
  void drawPlane(ImVec2 centre, float half, ImU32 colour) const;
  void drawName(const recording::FilmFrame& frame, ImVec2 min, ImVec2 max) const;
  [[nodiscard]] ImU32 shade(ImU32 colour) const;

  ImDrawList* list_;
  const Theme& theme_;
  const recording::Film& film_;
  std::vector<ImU32> carriers_;
  bool toCome_ = false;
};

}  // namespace haloscope::ui
