#include "TextRoom.h"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <string_view>

#include <utility>

namespace haloscope::test {

namespace {

struct Box {
  float left, top, right, bottom;

  [[nodiscard]] float width() const { return right - left; }
  [[nodiscard]] float height() const { return bottom - top; }
};

std::string text(const Box& box) {
  return fmt::format("({:.0f}, {:.0f}) to ({:.0f}, {:.0f})", box.left, box.top, box.right, box.bottom);
}

float common(float from, float to, float otherFrom, float otherTo) {
  return std::min(to, otherTo) - std::max(from, otherFrom);
}

// Where the glyphs of all fonts are in their texture, which has other shapes too.
using Glyphs = std::set<std::pair<float, float>>;

Glyphs glyphsOfTheAtlas() {
  Glyphs glyphs;
  ImStableVector<ImFontBaked, 32>& fonts = ImGui::GetIO().Fonts->Builder->BakedPool;
  for (int font = 0; font < fonts.Size; ++font) {
    for (const ImFontGlyph& one : fonts[font].Glyphs) { glyphs.emplace(one.U0, one.V0); }
  }
  return glyphs;
}

// The texts of a window: glyphs one after the other on a line.
class Texts {
 public:
  Texts(const ImDrawList& list, const Glyphs& glyphs) : list_(list), glyphs_(glyphs) {
    for (const ImDrawCmd& command : list.CmdBuffer) {
      if (command.UserCallback != nullptr || command.TexRef.GetTexID() != atlas()) { continue; }
      addGlyphs(command);
    }
    end();
  }

  void reportCut(std::vector<std::string>& found) const {
    for (const std::string& one : cut_) { found.push_back(fmt::format("{}: {}", list_._OwnerName, one)); }
  }

  void reportOverlaps(std::vector<std::string>& found) const {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      for (std::size_t j = i + 1; j < lines_.size(); ++j) {
        if (!overlap(lines_[i], lines_[j])) { continue; }
        found.push_back(
            fmt::format("{}: text at {} over text at {}", list_._OwnerName, text(lines_[i]), text(lines_[j])));
      }
    }
  }

 private:
  static ImTextureID atlas() { return ImGui::GetIO().Fonts->TexRef.GetTexID(); }

  // The same text twice has an edge of another colour.
  static bool overlap(const Box& one, const Box& other) {
    constexpr float kTouch = 2;  // pixels
    const bool same = std::abs(one.left - other.left) < 2 * kTouch && std::abs(one.right - other.right) < 2 * kTouch;
    return !same && common(one.left, one.right, other.left, other.right) > kTouch &&
           common(one.top, one.bottom, other.top, other.bottom) > 0.4F * std::min(one.height(), other.height());
  }

  // A glyph is a rectangle of two triangles.
  void addGlyphs(const ImDrawCmd& command) {
    const ImDrawIdx* index = list_.IdxBuffer.Data + command.IdxOffset;
    const ImDrawIdx* const end = index + command.ElemCount;
    while (end - index >= 6) {
      const ImDrawIdx first = index[0];
      const bool rectangle = index[1] == first + 1 && index[2] == first + 2 && index[3] == first &&
                             index[4] == first + 2 && index[5] == first + 3;
      if (!rectangle) {
        index += 3;
        continue;
      }
      const ImDrawVert* vertex = list_.VtxBuffer.Data + command.VtxOffset + first;
      index += 6;
      const bool glyph = glyphs_.contains({vertex[0].uv.x, vertex[0].uv.y});
      const bool seen = (vertex[0].col >> IM_COL32_A_SHIFT) != 0;
      // Slanted words lie on a face of the scene; the boxes around their letters overlap where the letters do not.
      const ImVec2 &one = vertex[0].pos, &other = vertex[2].pos;
      const bool slanted = std::abs(one.y - vertex[1].pos.y) > 0.1F && std::abs(one.x - vertex[1].pos.x) > 0.1F;
      if (glyph && seen && !slanted) {
        add({std::min(one.x, other.x), std::min(one.y, other.y), std::max(one.x, other.x), std::max(one.y, other.y)},
            command.ClipRect);
      }
    }
  }

  void add(const Box& glyph, const ImVec4& room) {
    constexpr float kHair = 1.5F;                                                             // of a glyph's soft edge
    if (common(glyph.top, glyph.bottom, room.y, room.w) < 0.5F * glyph.height()) { return; }  // scrolled away
    const bool cut =
        (glyph.left < room.x - kHair && glyph.right > room.x) || (glyph.right > room.z + kHair && glyph.left < room.z);
    if (cut) {
      cut_.push_back(
          fmt::format("a text is cut off at {}, where its room is {} to {} wide", text(glyph), room.x, room.z));
    }
    if (glyph.left > room.z || glyph.right < room.x) { return; }
    const bool continues = !lines_.empty() && open_ && glyph.left >= line().right - 0.5F * line().height() &&
                           glyph.left - line().right < line().height() &&
                           common(glyph.top, glyph.bottom, line().top, line().bottom) > 0;
    if (!continues) {
      end();
      lines_.push_back(glyph);
      open_ = true;
      return;
    }
    line().right = std::max(line().right, glyph.right);
    line().top = std::min(line().top, glyph.top);
    line().bottom = std::max(line().bottom, glyph.bottom);
  }

  void end() { open_ = false; }
  Box& line() { return lines_.back(); }

  const ImDrawList& list_;
  const Glyphs& glyphs_;
  std::vector<Box> lines_;
  std::vector<std::string> cut_;
  bool open_ = false;
};

std::vector<std::string> textsOf(const ImDrawData& drawn, bool overlaps) {
  const Glyphs glyphs = glyphsOfTheAtlas();
  std::vector<std::string> found;
  for (const ImDrawList* list : drawn.CmdLists) {
    // Lines of source are as long as they are.
    if (std::string_view(list->_OwnerName).find("/difference_") != std::string_view::npos) { continue; }
    const Texts texts(*list, glyphs);
    texts.reportCut(found);
    if (overlaps) { texts.reportOverlaps(found); }
  }
  return found;
}

}  // namespace

std::vector<std::string> unreadableTexts(const ImDrawData& drawn) { return textsOf(drawn, true); }
std::vector<std::string> cutTexts(const ImDrawData& drawn) { return textsOf(drawn, false); }

}  // namespace haloscope::test
