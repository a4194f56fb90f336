#include "ui/export/DrawnSvg.h"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <numbers>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "render/ScenePolygons.h"
#include "ui/export/SvgDocument.h"

namespace haloscope::ui {

namespace {

// The em of each font, of the line's height by which ImGui knows it.
constexpr float kSansEm = 1 / 1.21F, kMonoEm = 1.05F / 1.32F;

SvgColour colourOf(ImU32 packed) {
  const auto channel = [&](int shift) { return static_cast<std::uint8_t>(packed >> shift & 0xff); };
  return {channel(IM_COL32_R_SHIFT), channel(IM_COL32_G_SHIFT), channel(IM_COL32_B_SHIFT), channel(IM_COL32_A_SHIFT)};
}

SvgColour colourOf(const glm::vec4& colour) {
  return colourOf(ImGui::ColorConvertFloat4ToU32({colour.r, colour.g, colour.b, colour.a}));
}

SvgBox boundsOf(std::span<const SvgPoint> points) {
  SvgBox box{points[0].x, points[0].y, points[0].x, points[0].y};
  for (const SvgPoint& point : points) {
    box = {std::min(box.left, point.x), std::min(box.top, point.y), std::max(box.right, point.x),
           std::max(box.bottom, point.y)};
  }
  return box;
}

bool isUpright(std::span<const SvgPoint> p) {
  const auto same = [](float a, float b) { return std::abs(a - b) < 1e-3F; };
  return p.size() == 4 &&
         ((same(p[0].y, p[1].y) && same(p[1].x, p[2].x) && same(p[2].y, p[3].y) && same(p[3].x, p[0].x)) ||
          (same(p[0].x, p[1].x) && same(p[1].y, p[2].y) && same(p[2].x, p[3].x) && same(p[3].y, p[0].y)));
}

/// A glyph in the atlas of this frame.
struct KnownGlyph {
  const ImFontBaked* font = nullptr;
  const ImFontGlyph* glyph = nullptr;
};

/// The glyphs by the place of their picture in the atlas.
class GlyphIndex {
 public:
  explicit GlyphIndex(ImFontAtlas& atlas) {
    for (int i = 0; i < atlas.Builder->BakedPool.Size; ++i) {
      const ImFontBaked& font = atlas.Builder->BakedPool[i];
      if (font.WantDestroy) { continue; }
      for (const ImFontGlyph& glyph : font.Glyphs) {
        if (glyph.Visible) { glyphs_.emplace(std::pair(glyph.U0, glyph.V0), KnownGlyph{&font, &glyph}); }
      }
    }
  }

  /// That of a quad, of which some may be cut off; none: it is no glyph.
  [[nodiscard]] std::optional<KnownGlyph> find(const ImVec2& low, const ImVec2& high) const {
    const auto exact = glyphs_.find({low.x, low.y});
    if (exact != glyphs_.end()) { return exact->second; }
    constexpr float kRounding = 1e-5F;
    const auto around = std::ranges::find_if(glyphs_, [&](const auto& entry) {
      const ImFontGlyph& glyph = *entry.second.glyph;
      return glyph.U0 <= low.x + kRounding && glyph.V0 <= low.y + kRounding && glyph.U1 >= high.x - kRounding &&
             glyph.V1 >= high.y - kRounding;
    });
    return around == glyphs_.end() ? std::nullopt : std::optional(around->second);
  }

 private:
  std::map<std::pair<float, float>, KnownGlyph> glyphs_;
};

/// Letters that follow each other on a line.
struct LetterRun {
  SvgWords words;
  const ImFontBaked* font = nullptr;
  float cosine = 1, sine = 0;
  float pen = 0;  ///< how far the next letter is from the first one
  std::optional<SvgBox> clip;
  std::size_t letters = 0;
};

class DrawingReader {
 public:
  DrawingReader(const ImDrawData& data, const Theme& theme, const SvgPictures& pictures,
                const std::vector<std::string>& words)
      : data_(data),
        theme_(theme),
        pictures_(pictures),
        atlas_(*ImGui::GetIO().Fonts),
        glyphs_(atlas_),
        svg_(data.DisplaySize.x, data.DisplaySize.y, words) {}

  DrawnSvg read() {
    const SvgBox page = {0, 0, data_.DisplaySize.x, data_.DisplaySize.y};
    const std::array<SvgPoint, 4> ground = {{{0, 0}, {page.right, 0}, {page.right, page.bottom}, {0, page.bottom}}};
    svg_.fill(ground, colourOf(theme_.colours().panel), {});
    for (const ImDrawList* list : data_.CmdLists) {
      for (const ImDrawCmd& command : list->CmdBuffer) {
        if (command.UserCallback != nullptr || command.ElemCount == 0) { continue; }
        clip_ = {std::max(0.0F, command.ClipRect.x), std::max(0.0F, command.ClipRect.y),
                 std::min(page.right, command.ClipRect.z), std::min(page.bottom, command.ClipRect.w)};
        if (clip_.right <= clip_.left || clip_.bottom <= clip_.top) { continue; }
        readCommand(*list, command);
        endPolygon();
        endRun();
      }
    }
    return {svg_.finish(), hasPixels_};
  }

 private:
  void readCommand(const ImDrawList& list, const ImDrawCmd& command) {
    const ImDrawVert* vertices = list.VtxBuffer.Data + command.VtxOffset;
    const ImDrawIdx* indices = list.IdxBuffer.Data + command.IdxOffset;
    const bool own = command.TexRef._TexData != nullptr;  // of glyphs and shapes
    const ImVec2 white = atlas_.TexUvWhitePixel;
    for (unsigned int i = 0; i + 2 < command.ElemCount; i += 3) {
      const std::array<ImDrawIdx, 3> corners = {indices[i], indices[i + 1], indices[i + 2]};
      const ImDrawVert& first = vertices[corners[0]];
      if (own && first.uv.x == white.x && first.uv.y == white.y) {
        addTriangle(vertices, corners);
        continue;
      }
      endPolygon();
      if (i + 5 >= command.ElemCount) { return; }
      // Two triangles: 0, 1, 2 and 0, 2, 3.
      const std::array<const ImDrawVert*, 4> quad = {&first, &vertices[corners[1]], &vertices[corners[2]],
                                                     &vertices[indices[i + 5]]};
      i += 3;
      if (own) {
        addGlyph(quad);
      } else {
        endRun();
        addPicture(command.GetTexID(), quad);
      }
    }
  }

  /// As far as it has to be said.
  [[nodiscard]] std::optional<SvgBox> clipOf(const SvgBox& shape) const {
    return clip_.contains(shape) ? std::nullopt : std::optional(clip_);
  }

  // --- Shapes ---

  void addTriangle(const ImDrawVert* vertices, const std::array<ImDrawIdx, 3>& corners) {
    endRun();
    const auto colour = [&](ImDrawIdx corner) { return vertices[corner].col; };
    const bool joins = !polygon_.empty() && polygon_.front() == corners[0] && polygon_.back() == corners[1] &&
                       (blended_ || colour(corners[2]) == colour(polygon_.front()));
    if (!joins || vertices != vertices_) {
      endPolygon();
      polygon_ = {corners[0], corners[1]};
      vertices_ = vertices;
      blended_ = colour(corners[0]) != colour(corners[1]) || colour(corners[0]) != colour(corners[2]);
    }
    polygon_.push_back(corners[2]);
    if (blended_ && polygon_.size() == 4) { endPolygon(); }
  }

  void endPolygon() {
    if (polygon_.empty()) { return; }
    std::vector<SvgPoint> points;
    for (const ImDrawIdx corner : polygon_) { points.push_back({vertices_[corner].pos.x, vertices_[corner].pos.y}); }
    const std::vector<ImDrawIdx> corners = std::exchange(polygon_, {});
    SvgBox box = boundsOf(points);
    if (!clip_.meets(box)) { return; }
    const auto colour = [&](std::size_t i) { return vertices_[corners[i]].col; };
    const bool upright = isUpright(points);
    if (blended_ && upright) {
      const bool downwards = colour(0) == colour(1);
      svg_.blend(box, colourOf(colour(0)), colourOf(colour(2)), downwards, clipOf(box));
      return;
    }
    if (upright) {  // cut here, rather than by the reader
      box = {std::max(box.left, clip_.left), std::max(box.top, clip_.top), std::min(box.right, clip_.right),
             std::min(box.bottom, clip_.bottom)};
      points = {{box.left, box.top}, {box.right, box.top}, {box.right, box.bottom}, {box.left, box.bottom}};
    }
    svg_.fill(points, colourOf(blended_ ? Theme::mixed(colour(0), colour(2), 0.5F) : colour(0)), clipOf(box));
  }

  // --- Words ---

  [[nodiscard]] std::string_view styleOf(const ImFontBaked& font) const {
    if (font.OwnerFont == theme_.font(Face::Mono)) { return "m"; }
    if (font.OwnerFont == theme_.font(Face::SansStrong)) { return "b"; }
    return font.OwnerFont == theme_.font(Face::SansItalic) ? "i" : "s";
  }

  void addGlyph(const std::array<const ImDrawVert*, 4>& quad) {
    const auto known = glyphs_.find(quad[0]->uv, quad[2]->uv);
    if (!known || quad[0]->col >> IM_COL32_A_SHIFT == 0) { return; }
    const ImFontGlyph& glyph = *known->glyph;
    // Along the line and down from it, a pixel of the glyph's picture each.
    const float wide = (quad[1]->uv.x - quad[0]->uv.x) / (glyph.U1 - glyph.U0) * (glyph.X1 - glyph.X0);
    const float high = (quad[2]->uv.y - quad[1]->uv.y) / (glyph.V1 - glyph.V0) * (glyph.Y1 - glyph.Y0);
    if (wide <= 0 || high <= 0) { return; }
    const auto place = [&](std::size_t corner) { return glm::vec2(quad.at(corner)->pos.x, quad.at(corner)->pos.y); };
    const glm::vec2 along = (place(1) - place(0)) / wide;
    const glm::vec2 down = (place(3) - place(0)) / high;
    const float scale = std::hypot(along.x, along.y);
    // From the picture's corner, some of which may be cut off, to where the pen is.
    const float cutLeft = (quad[0]->uv.x - glyph.U0) / (glyph.U1 - glyph.U0) * (glyph.X1 - glyph.X0);
    const float cutTop = (quad[0]->uv.y - glyph.V0) / (glyph.V1 - glyph.V0) * (glyph.Y1 - glyph.Y0);
    const glm::vec2 pen = place(0) - along * (glyph.X0 + cutLeft) - down * (glyph.Y0 + cutTop - known->font->Ascent);
    const std::array<SvgPoint, 4> corners = {{{quad[0]->pos.x, quad[0]->pos.y},
                                              {quad[1]->pos.x, quad[1]->pos.y},
                                              {quad[2]->pos.x, quad[2]->pos.y},
                                              {quad[3]->pos.x, quad[3]->pos.y}}};
    const SvgBox box = boundsOf(corners);
    if (!clip_.meets(box)) { return; }
    const bool whole = wide > 0.99F * (glyph.X1 - glyph.X0);
    const std::optional<SvgBox> clip = whole ? clipOf(box) : std::optional(box);
    if (!follows(*known->font, pen, along / scale, colourOf(quad[0]->col), clip, scale)) {
      endRun();
      const float em = known->font->OwnerFont == theme_.font(Face::Mono) ? kMonoEm : kSansEm;
      run_.emplace();
      run_->font = known->font;
      run_->cosine = along.x / scale;
      run_->sine = along.y / scale;
      run_->clip = clip;
      run_->words = {{pen.x, pen.y},
                     std::atan2(along.y, along.x) * 180 / std::numbers::pi_v<float>,
                     0,
                     known->font->Size * em * scale,
                     styleOf(*known->font),
                     colourOf(quad[0]->col),
                     {}};
    }
    if (clip && !run_->clip) { run_->clip = clip; }
    append(glyph.Codepoint);
    run_->pen += glyph.AdvanceX * scale;
    ++run_->letters;
  }

  /// Whether a letter there goes on with the line; spaces that were left out are put in.
  bool follows(const ImFontBaked& font, const glm::vec2& pen, const glm::vec2& direction, const SvgColour& colour,
               const std::optional<SvgBox>& clip, float scale) {
    constexpr float kTolerance = 0.3F;  // of a space
    constexpr float kMostSpaces = 2;
    if (!run_ || run_->font != &font || run_->words.colour != colour) { return false; }
    if (run_->clip && clip && *run_->clip != *clip) { return false; }
    if (std::abs(direction.x - run_->cosine) + std::abs(direction.y - run_->sine) > 1e-3F) { return false; }
    const float x = pen.x - run_->words.at.x;
    const float y = pen.y - run_->words.at.y;
    const float space = const_cast<ImFontBaked&>(font).GetCharAdvance(' ') * scale;  // NOLINT: only looked up
    const float gap = x * run_->cosine + y * run_->sine - run_->pen;
    const float off = y * run_->cosine - x * run_->sine;
    const float spaces = std::round(gap / space);
    if (std::abs(off) > 0.6F || spaces < 0 || spaces > kMostSpaces) { return false; }
    if (std::abs(gap - spaces * space) > kTolerance * space) { return false; }
    run_->words.text.append(static_cast<std::size_t>(spaces), ' ');
    run_->pen += gap;
    return true;
  }

  void append(unsigned int code) {
    std::array<char, 5> bytes{};
    ImTextCharToUtf8(bytes.data(), code);
    run_->words.text += bytes.data();
  }

  void endRun() {
    if (!run_) { return; }
    if (run_->letters > 1) { run_->words.width = run_->pen; }
    svg_.words(run_->words, run_->clip);
    run_.reset();
  }

  // --- Pictures ---

  void addPicture(ImTextureID texture, const std::array<const ImDrawVert*, 4>& quad) {
    const SvgBox box = {quad[0]->pos.x, quad[0]->pos.y, quad[2]->pos.x, quad[2]->pos.y};
    if (!clip_.meets(box)) { return; }
    const render::SceneRenderer* scene = pictures_.scene(texture);
    if (scene != nullptr && !scene->drawnFromRecorded() &&
        render::cellsOf(scene->director().model()) <= kMostSvgCells) {
      addScene(*scene, box);
      return;
    }
    hasPixels_ = true;
    svg_.picture(box, pictures_.png(texture, quad[0]->uv.y > quad[2]->uv.y), clipOf(box));
  }

  void addScene(const render::SceneRenderer& scene, const SvgBox& box) {
    const render::SceneProjection& projection = scene.projection();
    const float scaleX = (box.right - box.left) / projection.width();
    const float scaleY = (box.bottom - box.top) / projection.height();
    const SvgBox window = {std::max(box.left, clip_.left), std::max(box.top, clip_.top),
                           std::min(box.right, clip_.right), std::min(box.bottom, clip_.bottom)};
    std::vector<SvgPoint> points;
    for (const render::ScenePolygon& shape :
         render::scenePolygons(scene.director().model(), projection, scene.palette())) {
      points.clear();
      for (const glm::vec2& at : shape.points) {
        points.push_back({box.left + at.x * scaleX, box.top + at.y * scaleY});
      }
      const SvgBox bounds = boundsOf(points);
      const SvgBox wide = {bounds.left - shape.width, bounds.top - shape.width, bounds.right + shape.width,
                           bounds.bottom + shape.width};
      if (!window.meets(wide)) { continue; }
      svg_.stroke(points, colourOf(shape.fill), colourOf(shape.stroke), shape.width * scaleX,
                  window.contains(wide) ? std::nullopt : std::optional(window));
    }
  }

  const ImDrawData& data_;
  const Theme& theme_;
  const SvgPictures& pictures_;
  ImFontAtlas& atlas_;
  GlyphIndex glyphs_;
  SvgDocument svg_;
  SvgBox clip_;
  bool hasPixels_ = false;
  std::vector<ImDrawIdx> polygon_;  ///< that is being gathered, of these vertices
  const ImDrawVert* vertices_ = nullptr;
  bool blended_ = false;  ///< its corners differ in colour
  std::optional<LetterRun> run_;
};

}  // namespace

DrawnSvg drawnSvg(const ImDrawData& data, const Theme& theme, const SvgPictures& pictures,
                  const std::vector<std::string>& words) {
  return DrawingReader(data, theme, pictures, words).read();
}

void drawSharply(ImGuiStyle& style) {
  style.AntiAliasedLines = style.AntiAliasedFill = false;
  style.CircleTessellationMaxError = 0.05F;
}

}  // namespace haloscope::ui
