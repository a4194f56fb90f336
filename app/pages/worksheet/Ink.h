#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

// Of cairo and Pango, whose headers stay in Ink.cpp.
using cairo_t = struct _cairo;
using PangoLayout = struct _PangoLayout;

/// Paper: texts set in the project's fonts, lines, patterns, and the file that they go to. Lengths are points (1/72
/// inch), from the upper left corner.
namespace haloscope::worksheet {

[[nodiscard]] constexpr double mm(double millimetres) { return millimetres * 72 / 25.4; }

/// Of red, green and blue, 0…1.
struct Colour {
  double r = 0, g = 0, b = 0;
};
[[nodiscard]] constexpr Colour grey(double lightness) { return {lightness, lightness, lightness}; }
inline constexpr Colour kInk = grey(0.08), kDim = grey(0.36), kRule = grey(0.60), kFaint = grey(0.82), kPaper = grey(1);

enum class Face : std::uint8_t { Sans, Strong, Italic, Mono, MonoStrong };

struct Style {
  Face face = Face::Sans;
  double size = 9;
  Colour colour = kInk;
};

/// A piece of a text in one style.
struct Run {
  std::string text;
  Style style{};
};

/// The project's fonts, and nothing else that this machine has: a sheet looks the same on each.
class Fonts {
 public:
  /// `folder`: assets/fonts; what is missing there is looked for where Debian installs it below `system`. Throws
  /// MissingError for the first one that is in neither place; in English those for Chinese may be missing.
  explicit Fonts(const std::filesystem::path& folder, const std::filesystem::path& system = "/");
  ~Fonts();
  Fonts(const Fonts&) = delete;
  Fonts& operator=(const Fonts&) = delete;

  struct Parts;
  [[nodiscard]] const Parts& parts() const { return *parts_; }

 private:
  std::unique_ptr<Parts> parts_;
};

/// A text broken into lines.
class Text {
 public:
  /// `width`: at which its lines are broken; 0: only where it says so itself. Throws MissingError for Chinese without
  /// its fonts.
  Text(const Fonts& fonts, const std::vector<Run>& runs, double width = 0);
  Text(const Fonts& fonts, std::string_view text, const Style& style = {}, double width = 0)
      : Text(fonts, {{std::string(text), style}}, width) {}

  [[nodiscard]] double width() const { return width_; }
  [[nodiscard]] double height() const { return height_; }
  /// From its top to the first line's letters' feet.
  [[nodiscard]] double baseline() const { return baseline_; }

 private:
  friend class Pen;
  std::shared_ptr<PangoLayout> layout_;
  double width_ = 0, height_ = 0, baseline_ = 0;
};

/// A sentence of the course or of a finding: what stands between backticks is code.
[[nodiscard]] std::vector<Run> sentenceRuns(std::string_view text, const Style& style = {});

/// What tells cells apart on a printer without colours.
enum class Pattern : std::uint8_t { None, Diagonal, Crossed, Dots };

class Pen {
 public:
  explicit Pen(cairo_t* cairo) : cairo_(cairo) {}

  /// With its upper left corner there.
  void text(const Text& text, double x, double y) const;
  void line(double x0, double y0, double x1, double y1, double width = 0.5, const Colour& colour = kRule) const;
  void fill(double x, double y, double width, double height, const Colour& colour) const;
  void frame(double x, double y, double width, double height, double line = 0.5, const Colour& colour = kRule,
             bool dashed = false) const;
  void pattern(double x, double y, double width, double height, Pattern pattern, const Colour& colour) const;
  void ring(double x, double y, double radius, double line, const Colour& colour) const;
  /// The upper right corner of a cell, filled.
  void corner(double right, double top, double edge, const Colour& colour) const;
  /// A cross from corner to corner: a box that is ticked.
  void cross(double x, double y, double edge, double line = 1) const;

 private:
  cairo_t* cairo_;
};

/// A PDF that is written to memory.
class Pdf {
 public:
  /// `seconds` since 1970: when it says that it was made.
  Pdf(double width, double height, std::int64_t seconds);
  ~Pdf();
  Pdf(const Pdf&) = delete;
  Pdf& operator=(const Pdf&) = delete;

  void describe(const std::string& title, const std::string& subject, const std::string& creator);
  /// An entry of the table of contents at a place of a page, counted from 1; 0: at the top level. Returns its number.
  int bookmark(int parent, const std::string& text, std::size_t page, double y);
  [[nodiscard]] Pen pen() const;
  void endPage();
  /// The file; nothing can be drawn afterwards. Throws std::runtime_error if cairo could not write it.
  [[nodiscard]] std::string finish();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace haloscope::worksheet
