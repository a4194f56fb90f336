#pragma once

#include <imgui.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "program/NumberText.h"
#include "ui/widgets/Theme.h"

/// The small things that panels share: a heading with a caption, legends, tooltips with rows, grids of cells, text that
/// is placed by hand. They know the theme and nothing about kernels.
namespace haloscope::ui {

/// "58 %", or "0.4 %" below one per cent.
[[nodiscard]] std::string percentText(double share);

/// Pushes a font for the lifetime of the object.
class FontScope {
 public:
  FontScope(const Theme& theme, Face face, TextSize size) : theme_(theme) { theme_.push(face, size); }
  ~FontScope() { theme_.pop(); }
  FontScope(const FontScope&) = delete;
  FontScope& operator=(const FontScope&) = delete;

 private:
  const Theme& theme_;
};

/// A window's title in the current language, with the same id in all of them: "TITLE###ENGLISH".
[[nodiscard]] std::string windowName(const char* english);

[[nodiscard]] float textWidth(std::string_view text);
/// The text with its lines ended where they may end in its language, so that none is wider than `width` pixels.
[[nodiscard]] std::string wrapped(const Theme& theme, std::string_view text, float width, Face face = Face::Sans,
                                  TextSize size = TextSize::Small);
/// Text at a place on the screen, in the current font.
void textAt(ImDrawList* list, ImVec2 at, ImU32 colour, std::string_view text);
/// Text on a plane of its own: a pixel to the right of its upper left corner `at` becomes `along`, one down `down`. The
/// current clip rectangle must be as wide as the text is.
void slantedTextAt(ImDrawList* list, ImVec2 at, ImVec2 along, ImVec2 down, ImU32 colour, std::string_view text);
/// As textAt, shortened with "…" to fit `width`. True if it was shortened.
bool clippedTextAt(ImDrawList* list, ImVec2 at, float width, ImU32 colour, std::string_view text);
/// A filled triangle that points left (-1) or right (+1), as high as twice `half`.
void arrowAt(ImDrawList* list, ImVec2 centre, float half, int direction, ImU32 colour);
/// A line of text as an item; the rest of its row stays free.
void label(const Theme& theme, ImU32 colour, std::string_view text, Face face = Face::Sans,
           TextSize size = TextSize::Small);
/// A sentence that must not be missed, wrapped, on a ground and with an edge of its own. Nothing for an empty one.
void notice(const Theme& theme, std::string_view text);
/// A dim word before a widget, on the line of the widget's text.
void frameLabel(const Theme& theme, std::string_view text, Face face);
[[nodiscard]] float frameLabelWidth(const Theme& theme, std::string_view text, Face face);
/// As label, shortened with "…" to the width that is left; then the whole of it is in its tooltip.
void clippedLabel(const Theme& theme, ImU32 colour, std::string_view text, Face face = Face::Sans,
                  TextSize size = TextSize::Small);

/// First line of a panel: what it shows, and at the right, dimmer, a caption. The caption gives way, and then the
/// title, where the panel is narrow.
void panelHeading(const Theme& theme, std::string_view title, std::string_view caption = {});
/// Whether the current window is docked as one of several tabs.
[[nodiscard]] bool panelHasTab();

/// Words of which one is chosen, in one row: "flops · global bytes · lanes"; trMark("…"), as are `tips`. Returns the
/// index chosen now. Reached by Tab, chosen by Enter. `tips` explain them, if given.
int choiceRow(const Theme& theme, const char* id, std::span<const char* const> words, int chosen,
              std::span<const char* const> tips = {});
[[nodiscard]] float choiceRowWidth(const Theme& theme, std::span<const char* const> words);

/// How a legend draws its sample, the same way as the picture it explains.
enum class Swatch : std::uint8_t {
  Filled,
  Outlined,
  Hatched,
  Striped,  ///< filled, with strokes across
  Line,
};
struct LegendEntry {
  ImU32 colour;
  const char* text;
  Swatch swatch = Swatch::Filled;
};
/// Samples with their meaning, from left to right, in as many rows as they need.
void legend(const Theme& theme, std::span<const LegendEntry> entries);
[[nodiscard]] float legendWidth(const Theme& theme, std::span<const LegendEntry> entries);
void swatch(ImDrawList* list, const Theme& theme, ImVec2 min, float size, ImU32 colour, Swatch kind);

/// A tooltip beside the last item, for the lifetime of the object.
class Tooltip {
 public:
  explicit Tooltip(const Theme& theme);
  ~Tooltip();
  Tooltip(const Tooltip&) = delete;
  Tooltip& operator=(const Tooltip&) = delete;

  /// What this is; in a fixed-width face when it is a name of the text.
  void title(std::string_view text, ImU32 colour = 0, Face face = Face::Mono) const;
  void row(std::string_view name, std::string_view value, ImU32 colour = 0) const;
  /// A sentence, wrapped, dim.
  void note(std::string_view text, ImU32 colour = 0) const;

 private:
  const Theme& theme_;
};

/// True if the last item is hovered or has the keyboard focus: when a tooltip should be shown.
[[nodiscard]] bool lastItemAsked();

/// How one cell of a grid looks.
struct CellLook {
  ImU32 fill = 0;
  ImU32 outline = 0;  ///< 0: none
  bool hatched = false;
  bool strong = false;  ///< a thicker outline
};
/// Diagonal strokes in the panel's colour across a filled rectangle: a second look for a colour that has no hue.
void stripe(ImDrawList* list, const Theme& theme, ImVec2 min, ImVec2 max);
/// An outline in the colour of the current step, with an edge where the theme needs one.
void outlineActive(ImDrawList* list, const Theme& theme, ImVec2 min, ImVec2 max, float rounding, float thickness);
void drawCell(ImDrawList* list, const Theme& theme, ImVec2 min, ImVec2 max, const CellLook& look);

/// An item of columns × rows cells. Returns the cell under the pointer, as row * columns + column.
std::optional<int> cellGridItem(const char* id, ImVec2 cell, int columns, int rows);

/// Whether the user asks to type into what the pointer is on: a double click, or Enter.
[[nodiscard]] bool typingAsked();

/// Numbers that a panel keeps between frames, in ImGui's storage of the current window, so that no panel needs a
/// global.
[[nodiscard]] float storedFloat(const char* key, float initial);
[[nodiscard]] int storedInt(const char* key, int initial);
void store(const char* key, float value);
void store(const char* key, int value);
/// True if `value` differs from what this key was given the last time (and the first time).
bool storedChanged(const char* key, std::uint64_t value);

}  // namespace haloscope::ui
