#pragma once

#include <imgui.h>

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cells/Palette.h"
#include "recording/BlockView.h"
#include "recording/Recording.h"

/// One palette, one type scale, one spacing, for every panel.
namespace haloscope::ui {

// What is drawn has the colours and names of the one table.
static_assert(IM_COL32_R_SHIFT == 0 && IM_COL32_A_SHIFT == 24, "cells::Colour has ImGui's order of channels");
using cells::name;
using cells::Palette;
using cells::paletteOf;

/// A large font, of which a window shows a few hundred characters: mapped instead of read, and common to
/// all fonts that it is merged into. Empty if it cannot be opened.
class FontFile {
 public:
  FontFile() = default;
  /// `face`: which of the fonts in the file.
  FontFile(const std::filesystem::path& path, int face);
  FontFile(FontFile&& other) noexcept;
  FontFile& operator=(FontFile&& other) noexcept;
  FontFile(const FontFile&) = delete;
  FontFile& operator=(const FontFile&) = delete;
  ~FontFile();

  [[nodiscard]] std::span<const char> bytes() const { return bytes_; }
  [[nodiscard]] int face() const { return face_; }

 private:
  std::span<const char> bytes_;
  int face_ = 0;
};

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

  /// Of a role, a lane's status, an activity or a token.
  template <typename What>
  [[nodiscard]] ImU32 of(What what) const {
    return colourOf(palette_, what);  // of cells::, or beside the kind of what it is
  }
  /// `colour` with its opacity multiplied by `alpha`.
  [[nodiscard]] ImU32 faded(ImU32 colour, float alpha) const;
  /// Between two opaque colours: `from` at 0, `to` at 1.
  [[nodiscard]] static ImU32 mixed(ImU32 from, ImU32 to, float share) { return cells::mixed(from, to, share); }
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

}  // namespace haloscope::ui
