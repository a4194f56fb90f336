#pragma once

#include <imgui.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "recording/BlockView.h"
#include "recording/Recording.h"
#include "ui/widgets/FontFile.h"

/// One palette, one type scale, one spacing, for every panel. Colours name roles; a role has one colour everywhere.
/// The hues are those of Okabe and Ito, which colour-blind people can tell apart; that of faults is the red of Paul
/// Tol's scheme "sunset", since their vermillion is too close to the orange of the halo on a projector.
namespace haloscope::ui {

struct Palette {
  ImU32 background, panel, panelRaised, border, text, textDim, accent;
  ImU32 interior;  ///< interior points, the current plane
  ImU32 halo;
  ImU32 output;      ///< output points, the next plane
  ImU32 previous;    ///< the previous plane
  ImU32 active;      ///< active lanes, the cursor, what the current step touches: fills and outlines
  ImU32 activeEdge;  ///< around `active` where the background is nearly as bright as it; else transparent
  ImU32 activeText;  ///< words about the current step
  ImU32 fault;
  ImU32 ghost;
  ImU32 good;
  ImU32 series;  ///< a curve or a bar that represents none of the roles
};

/// The palette of the dark or the light theme: as used by apply(); for tests and for code without ImGui.
[[nodiscard]] Palette paletteOf(bool light);

enum class TextSize : std::uint8_t { Small, Body, Heading };
enum class Face : std::uint8_t { Sans, SansStrong, SansItalic, Mono };

class Theme {
 public:
  /// Fonts are looked for in these folders, in this order.
  explicit Theme(std::vector<std::filesystem::path> fontFolders) : fontFolders_(std::move(fontFolders)) {}
  /// Where Debian's packages put them.
  [[nodiscard]] static std::vector<std::filesystem::path> systemFonts();

  /// Loads the fonts (Inter, JetBrains Mono, with Noto Sans CJK for Chinese) and sets the style of the current
  /// ImGui and ImPlot contexts, to which the theme belongs from then on. Between frames only.
  /// `scale` is 1 at 1280×720 on a 96-dpi display.
  void apply(bool light, float scale);

  [[nodiscard]] const Palette& colours() const { return palette_; }
  [[nodiscard]] bool light() const { return light_; }
  [[nodiscard]] float scale() const { return scale_; }
  /// Pixels for a length given at scale 1. Spacing comes in multiples of 4.
  [[nodiscard]] float px(float length) const { return length * scale_; }
  /// Pixels of a size of text.
  [[nodiscard]] float textPixels(TextSize size) const;
  [[nodiscard]] ImFont* font(Face face) const;
  void push(Face face, TextSize size) const;  ///< pair with pop()
  void pop() const;

  [[nodiscard]] ImU32 of(recording::Role role) const;
  [[nodiscard]] ImU32 of(recording::LaneStatus status) const;
  [[nodiscard]] ImU32 of(recording::Activity activity) const;
  /// `colour` with its opacity multiplied by `alpha`.
  [[nodiscard]] ImU32 faded(ImU32 colour, float alpha) const;
  /// Between two opaque colours: `from` at 0, `to` at 1.
  [[nodiscard]] static ImU32 mixed(ImU32 from, ImU32 to, float share);
  /// Text that can be read on a surface filled with `fill`.
  [[nodiscard]] ImU32 textOn(ImU32 fill) const;

  /// There is a font with the signs of Chinese.
  [[nodiscard]] bool writesChinese() const { return !chinese_.bytes().empty(); }
  /// Names the fonts that were not found, in one line; empty when all are there.
  [[nodiscard]] std::string fontWarning() const;

 private:
  void loadFonts();
  [[nodiscard]] std::filesystem::path findFont(const std::string& name) const;

  std::vector<std::filesystem::path> fontFolders_;
  std::vector<std::string> missingFonts_;
  FontFile chinese_, chineseStrong_;
  Palette palette_{};
  bool light_ = false;
  float scale_ = 1.0F;
  ImFont* sans_ = nullptr;
  ImFont* sansStrong_ = nullptr;
  ImFont* sansItalic_ = nullptr;
  ImFont* mono_ = nullptr;
};

[[nodiscard]] const char* name(recording::Role role);
[[nodiscard]] const char* name(recording::LaneStatus status);
[[nodiscard]] const char* name(recording::Activity activity);

}  // namespace haloscope::ui
