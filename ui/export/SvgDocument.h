#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace haloscope::ui {

struct SvgPoint {
  float x = 0, y = 0;
};

/// A rectangle on the page, in its pixels.
struct SvgBox {
  float left = 0, top = 0, right = 0, bottom = 0;
  [[nodiscard]] bool contains(const SvgBox& other) const {
    return other.left >= left && other.right <= right && other.top >= top && other.bottom <= bottom;
  }
  [[nodiscard]] bool meets(const SvgBox& other) const {
    return other.left < right && other.right > left && other.top < bottom && other.bottom > top;
  }
  bool operator==(const SvgBox&) const = default;
};

/// Red, green, blue, alpha.
struct SvgColour {
  std::uint8_t red = 0, green = 0, blue = 0, alpha = 255;
  bool operator==(const SvgColour&) const = default;
};

/// A line of words. Its letters are stretched to `width`, whatever font the reader has.
struct SvgWords {
  SvgPoint at;                ///< where its baseline begins
  float angle = 0;            ///< degrees, clockwise
  float width = 0, size = 0;  ///< size: of the font
  std::string_view style;     ///< a class: "s", "b", "i" or "m"
  SvgColour colour;
  std::string text;
};

/// An SVG document that grows element by element. Numbers have two decimals.
class SvgDocument {
 public:
  /// `words`: of its title and description.
  SvgDocument(float width, float height, const std::vector<std::string>& words);

  /// A filled polygon. Neighbours of the same colour become one element.
  void fill(std::span<const SvgPoint> corners, const SvgColour& colour, const std::optional<SvgBox>& clip);
  /// The same with colours that change from one side to the other.
  void blend(const SvgBox& box, const SvgColour& from, const SvgColour& to, bool downwards,
             const std::optional<SvgBox>& clip);
  /// A polygon with an outline, or a line.
  void stroke(std::span<const SvgPoint> corners, const SvgColour& fill, const SvgColour& stroke, float width,
              const std::optional<SvgBox>& clip);
  void words(const SvgWords& words, const std::optional<SvgBox>& clip);
  void picture(const SvgBox& box, std::string_view png, const std::optional<SvgBox>& clip);

  /// Ends it.
  [[nodiscard]] std::string finish();

 private:
  void flush();
  [[nodiscard]] std::string clipText(const std::optional<SvgBox>& clip);

  std::string head_, definitions_, body_, open_;  ///< open_: the outline of the polygons that are gathered
  SvgColour openColour_;
  std::optional<SvgBox> openClip_;
  std::vector<SvgBox> clips_;
  std::size_t blends_ = 0;
};

}  // namespace haloscope::ui
