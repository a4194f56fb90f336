#include "ui/panels/FilmPicture.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

using recording::FilmEvent;
using recording::FilmFrame;

constexpr float kSmallestHalf = 5, kLargestHalf = 30;  // of a plane's half width, at scale 1
constexpr float kBetweenParts = 12;                    // at scale 1
constexpr float kMostGap = 0.2F;                       // of a picture between its parts

// In halves of a plane's width.
constexpr float kRowStep = 1.2F;     // from one plane of a row to the next, along the axis that goes down to the right
constexpr float kStackStep = 0.42F;  // between the outputs' planes
constexpr float kSlab = 0.22F;       // thickness of a plane
constexpr float kAbove = 0.8F;       // room above the planes for arrows
constexpr float kRim = 0.3F;         // width of the rim of what is loaded

/// A plane seen from the side, without thickness.
struct Rhombus {
  ImVec2 top, right, bottom, left;

  Rhombus(ImVec2 centre, float half)
      : top(centre.x, centre.y - half / 2),
        right(centre.x + half, centre.y),
        bottom(centre.x, centre.y + half / 2),
        left(centre.x - half, centre.y) {}
};

ImVec2 below(ImVec2 point, float by) { return {point.x, point.y + by}; }

/// Copies are more than loads, and outputs more than both.
int rank(FilmEvent::Kind kind) { return kind == FilmEvent::Kind::Output ? 2 : kind == FilmEvent::Kind::Move ? 1 : 0; }

}  // namespace

void FilmPicture::draw(std::size_t frame, ImVec2 min, ImVec2 max, bool toCome) {
  toCome_ = toCome;
  const FilmFrame& of = film_.frames()[frame];
  std::vector<Part> parts = partsOf(of);
  if (parts.empty()) { return drawName(of, min, max); }
  const auto [column, gap, half] = fit(parts, {max.x - min.x, max.y - min.y});
  float length = -gap;
  for (const Part& part : parts) { length += (column ? part.height : part.width) * half + gap; }
  float along = column ? (min.y + max.y - length) / 2 : (min.x + max.x - length) / 2;
  for (const Part& part : parts) {
    const float x = column ? (min.x + max.x - part.width * half) / 2 : along;
    const float y = column ? along : (min.y + max.y - part.height * half) / 2;
    const ImVec2 at{std::round(x), std::round(y)};
    if (part.kind == FilmEvent::Kind::Output) {
      drawOutputs(of, part, at);
    } else {
      drawRow(of, part, at);
    }
    along += (column ? part.height : part.width) * half + gap;
  }
}

std::vector<FilmPicture::Part> FilmPicture::partsOf(const FilmFrame& frame) const {
  std::vector<Part> parts;
  const auto put = [](std::vector<std::uint32_t>& carriers, std::uint32_t carrier) {
    if (std::ranges::find(carriers, carrier) == carriers.end()) { carriers.push_back(carrier); }
  };
  for (const FilmEvent& event : film_.eventsOf(frame)) {
    if (event.kind == FilmEvent::Kind::Output && film_.layers() == 0) { continue; }
    auto part = std::ranges::find(parts, event.kind, &Part::kind);
    if (part == parts.end()) { part = parts.insert(part, {event.kind, {}}); }
    if (event.kind == FilmEvent::Kind::Output) { continue; }
    put(part->carriers, event.carrier);
    if (event.kind == FilmEvent::Kind::Move) { put(part->carriers, event.from); }
  }
  for (Part& part : parts) {
    if (part.kind == FilmEvent::Kind::Output) {
      part.width = 2;
      part.height = 1 + kSlab + static_cast<float>(film_.layers() - 1) * kStackStep;
      continue;
    }
    std::ranges::sort(part.carriers);  // as they lie in the block's scene
    const auto steps = static_cast<float>(part.carriers.size() - 1) * kRowStep;
    part.width = 2 + steps;
    part.height = kAbove + 1 + kSlab + steps / 2;
  }
  return parts;
}

FilmPicture::Arrangement FilmPicture::arrange(const std::vector<Part>& parts, ImVec2 size) const {
  ImVec2 sum, widest;
  for (const Part& part : parts) {
    sum = {sum.x + part.width, sum.y + part.height};
    widest = {std::max(widest.x, part.width), std::max(widest.y, part.height)};
  }
  const auto gaps = static_cast<float>(parts.size() - 1);
  Arrangement best;
  for (const bool column : {false, true}) {
    // Where there is little room, the planes get it.
    const float room = column ? size.y : size.x;
    const float gap = gaps > 0 ? std::min(theme_.px(kBetweenParts), room * kMostGap / gaps) : 0;
    const float half = column ? std::min((size.y - gaps * gap) / sum.y, size.x / widest.x)
                              : std::min((size.x - gaps * gap) / sum.x, size.y / widest.y);
    if (half > best.half) { best = {column, gap, std::min(half, theme_.px(kLargestHalf))}; }
  }
  return best;
}

FilmPicture::Arrangement FilmPicture::fit(std::vector<Part>& parts, ImVec2 size) const {
  Arrangement arrangement = arrange(parts, size);
  while (!parts.empty() && arrangement.half < theme_.px(kSmallestHalf)) {
    parts.erase(std::ranges::min_element(parts, {}, [](const Part& part) { return rank(part.kind); }));
    if (!parts.empty()) { arrangement = arrange(parts, size); }
  }
  for (Part& part : parts) { part.half = arrangement.half; }
  return arrangement;
}

void FilmPicture::drawRow(const FilmFrame& frame, const Part& part, ImVec2 min) const {
  const Palette& colours = theme_.colours();
  const float half = part.half;
  const bool load = part.kind == FilmEvent::Kind::Load;
  const auto centre = [&](std::size_t i) {
    const float along = static_cast<float>(i) * kRowStep * half;
    return ImVec2(min.x + half + along, min.y + (kAbove + 0.5F) * half + along / 2);
  };
  for (std::size_t i = 0; i < part.carriers.size(); ++i) {
    const std::uint32_t carrier = part.carriers[i];
    const ImU32 own = carrier < carriers_.size() ? carriers_[carrier] : colours.halo;
    drawPlane(centre(i), half, shade(load ? colours.halo : own));
    if (!load) { continue; }
    if (own != colours.halo) {
      const Rhombus inner(centre(i), half * (1 - kRim));
      list_->AddQuadFilled(inner.top, inner.right, inner.bottom, inner.left, shade(own));
    }
    drawArrowDown(centre(i), half);
  }
  if (load) { return; }
  const auto place = [&](std::uint32_t carrier) {
    return centre(static_cast<std::size_t>(std::ranges::find(part.carriers, carrier) - part.carriers.begin()));
  };
  for (const FilmEvent& event : film_.eventsOf(frame)) {
    if (event.kind == FilmEvent::Kind::Move) { drawCopy(place(event.from), place(event.carrier), half); }
  }
}

void FilmPicture::drawArrowDown(ImVec2 plane, float half) const {
  const ImU32 colour = shade(theme_.colours().halo);
  const float tip = plane.y - half * 0.58F;
  const float head = std::max(theme_.px(2), half * 0.2F);
  list_->AddLine({plane.x, plane.y - half * (0.5F + kAbove)}, {plane.x, tip - head}, colour,
                 std::max(1.0F, theme_.px(1.25F)));
  list_->AddTriangleFilled({plane.x - head, tip - head * 1.4F}, {plane.x + head, tip - head * 1.4F}, {plane.x, tip},
                           colour);
}

void FilmPicture::drawCopy(ImVec2 from, ImVec2 to, float half) const {
  const ImU32 colour = shade(theme_.colours().text);
  const ImVec2 over{(from.x + to.x) / 2, std::min(from.y, to.y) - half * 0.9F};
  const float length = std::hypot(to.x - over.x, to.y - over.y);
  const ImVec2 along{(to.x - over.x) / length, (to.y - over.y) / length};
  const float head = std::max(theme_.px(2), half * 0.2F);
  const ImVec2 neck{to.x - along.x * head * 1.4F, to.y - along.y * head * 1.4F};
  list_->AddBezierQuadratic(from, over, neck, colour, std::max(1.0F, theme_.px(1.25F)));
  list_->AddTriangleFilled(to, {neck.x - along.y * head, neck.y + along.x * head},
                           {neck.x + along.y * head, neck.y - along.x * head}, colour);
}

void FilmPicture::drawOutputs(const FilmFrame& frame, const Part& part, ImVec2 min) const {
  const Palette& colours = theme_.colours();
  const float half = part.half;
  ImVec2 centre{min.x + half, min.y + (part.height - kSlab - 0.5F) * half};
  for (std::size_t layer = 0; layer < film_.layers(); ++layer, centre.y -= kStackStep * half) {
    const double share = film_.written(layer, frame.endStep);
    if (share >= 1) {
      drawPlane(centre, half, shade(colours.output));
      continue;
    }
    const Rhombus whole(centre, half);
    list_->AddQuad(whole.top, whole.right, whole.bottom, whole.left,
                   shade(Theme::mixed(colours.panelRaised, colours.output, 0.6F)));
    if (share <= 0) { continue; }
    const Rhombus done(centre, half * static_cast<float>(std::sqrt(share)));  // by its area
    list_->AddQuadFilled(done.top, done.right, done.bottom, done.left, shade(colours.output));
  }
}

void FilmPicture::drawPlane(ImVec2 centre, float half, ImU32 colour) const {
  constexpr ImU32 kDark = IM_COL32(0, 0, 0, 255);
  const Rhombus at(centre, half);
  const float thick = kSlab * half;
  list_->AddQuadFilled(at.left, at.bottom, below(at.bottom, thick), below(at.left, thick),
                       Theme::mixed(colour, kDark, 0.35F));
  list_->AddQuadFilled(at.bottom, at.right, below(at.right, thick), below(at.bottom, thick),
                       Theme::mixed(colour, kDark, 0.5F));
  list_->AddQuadFilled(at.top, at.right, at.bottom, at.left, colour);
  if (half < theme_.px(8)) { return; }
  // Where planes of one colour overlap, an edge separates them.
  list_->AddQuad(at.top, at.right, at.bottom, at.left, Theme::mixed(colour, kDark, 0.35F));
}

void FilmPicture::drawName(const FilmFrame& frame, ImVec2 min, ImVec2 max) const {
  const std::string text = name(frame.longest);
  const float wide = textWidth(text);
  const float line = ImGui::GetTextLineHeight();
  if (wide > max.x - min.x || line > max.y - min.y) { return; }
  textAt(list_, {(min.x + max.x - wide) / 2, (min.y + max.y - line) / 2}, shade(theme_.colours().textDim), text);
}

ImU32 FilmPicture::shade(ImU32 colour) const {
  return toCome_ ? Theme::mixed(theme_.colours().panelRaised, colour, 0.45F) : colour;
}

}  // namespace haloscope::ui
