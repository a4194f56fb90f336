#include "ui/scene/BarrierGate.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "actions/Easing.h"
#include "language/Text.h"
#include "program/NumberText.h"
#include "program/Program.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

using recording::AtGate;

// Lengths on the gate's ground, in pixels at scale 1.
constexpr float kGateLength = 250, kLeastLane = 6.5F, kMostLane = 15;
constexpr float kFewWarps = 4, kMoreWarps = 16;
constexpr float kChip = 0.74F;                // edge of a thread's chip, by the lane's
constexpr float kFront = 0.8F, kAway = 3.4F;  // lanes from the gate to the first row; from there to those awaited
constexpr float kBesideRow = 8;               // from a row to its warp's name
constexpr float kWordsAway = 170;             // the farthest that the words are from where they should be
constexpr float kLeading = 0.85F;             // of a line: the least distance of two names
constexpr float kLifted = 0.5F;               // of the board's height, when it is open
constexpr float kBoard = 30, kLegs = 20;      // heights of the board, and of what it stands on
constexpr std::size_t kSingleChips = 256;     // threads, above which neighbours in a warp are drawn as one
constexpr float kTile = 8;                    // pixels of the map of what is taken
constexpr std::array kScales = {1.0F, 0.8F, 0.65F, 0.5F};

/// Directions of the ground and of the height on the screen, as the scene has them from home.
constexpr ImVec2 kAlong{0.7071F, 0.3695F}, kBack{-0.7071F, 0.3695F}, kUp{0, -0.8525F};

/// Which parts of a rectangle are covered.
class CoveredMap {
 public:
  CoveredMap(ImVec2 min, ImVec2 max, float tile)
      : min_(min),
        tile_(tile),
        columns_(static_cast<int>((max.x - min.x) / tile)),
        rows_(static_cast<int>((max.y - min.y) / tile)),
        covered_(static_cast<std::size_t>(std::max(columns_ * rows_, 0)), 0) {}

  void cover(ImVec2 at) {
    const int x = static_cast<int>(std::floor((at.x - min_.x) / tile_)),
              y = static_cast<int>(std::floor((at.y - min_.y) / tile_));
    if (x >= 0 && y >= 0 && x < columns_ && y < rows_) { covered_[indexOf(x, y)] = 1; }
  }
  void cover(ImVec2 low, ImVec2 high) {
    for (float y = low.y; y < high.y + tile_; y += tile_) {
      for (float x = low.x; x < high.x + tile_; x += tile_) { cover({std::min(x, high.x), std::min(y, high.y)}); }
    }
  }

  /// The place for the upper left corner of a shape that is nearest to `wanted` for its middle: offsets of the shape's
  /// tiles, none of which may be covered.
  [[nodiscard]] std::optional<ImVec2> find(const std::vector<std::array<int, 2>>& shape, std::array<int, 2> size,
                                           ImVec2 wanted) const {
    std::optional<ImVec2> best;
    float nearest = 0;
    for (int y = 0; y + size[1] <= rows_; ++y) {
      for (int x = 0; x + size[0] <= columns_; ++x) {
        const ImVec2 at{min_.x + static_cast<float>(x) * tile_, min_.y + static_cast<float>(y) * tile_};
        const float distance = std::hypot(at.x + static_cast<float>(size[0]) * tile_ / 2 - wanted.x,
                                          at.y + static_cast<float>(size[1]) * tile_ / 2 - wanted.y);
        if (best && distance >= nearest) { continue; }
        const bool free = std::ranges::all_of(
            shape, [&](const std::array<int, 2>& part) { return covered_[indexOf(x + part[0], y + part[1])] == 0; });
        if (!free) { continue; }
        best = at;
        nearest = distance;
      }
    }
    return best;
  }

 private:
  [[nodiscard]] std::size_t indexOf(int x, int y) const { return static_cast<std::size_t>(y * columns_ + x); }

  ImVec2 min_;
  float tile_;
  int columns_, rows_;
  std::vector<char> covered_;
};

/// Everything that is drawn of the scene, sampled.
void coverScene(CoveredMap& map, const render::SceneModel& model, const render::SceneProjection& projection, ImVec2 min,
                float tile) {
  const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
  const float apart = 0.8F * tile * scale.x / projection.pixelsPerUnit();
  const auto cover = [&](const glm::vec3& point) {
    const glm::vec2 pixel = projection.project(point);
    map.cover({min.x + pixel.x / scale.x, min.y + pixel.y / scale.y});
  };
  const auto count = [&](float length) { return static_cast<int>(std::ceil(length / apart)) + 1; };
  for (const render::SceneBox& box : model.boxes) {
    const glm::vec3 size = box.high - box.low;
    const int nx = count(size.x), ny = count(size.y), nz = count(size.z);
    for (int y = 0; y < ny; ++y) {
      for (int z = 0; z < nz; ++z) {
        // Below its upper side, what is seen of a box are its sides.
        const bool inner = y > 0 && y + 1 < ny && z > 0 && z + 1 < nz;
        for (int x = 0; x < nx; x += inner ? std::max(nx - 1, 1) : 1) {
          cover(box.low + size * glm::vec3(static_cast<float>(x) / static_cast<float>(std::max(nx - 1, 1)),
                                           static_cast<float>(y) / static_cast<float>(std::max(ny - 1, 1)),
                                           static_cast<float>(z) / static_cast<float>(std::max(nz - 1, 1))));
        }
      }
    }
  }
  for (const render::SceneLettering& lettering : model.letterings) {
    const render::SceneFace& face = lettering.face;
    for (float along = 0; along <= face.length; along += apart) {
      for (float down = 0; down <= face.height; down += apart) {
        cover(face.origin + face.along * along + face.down * down);
      }
    }
  }
}

/// "warp 0", "warps 0 and 1", "warps 0–4"
std::string warpRangeText(std::uint32_t first, std::uint32_t last) {
  if (first == last) { return trf("warp {}", first); }
  return last == first + 1 ? trf("warps {} and {}", first, last) : trf("warps {}–{}", first, last);
}

/// Who has come, and whether it is open, where that is known.
std::string stateText(const recording::Gate& gate) {
  const std::size_t all = gate.here + gate.awaited;
  const std::string here = grouped(gate.here);
  if (gate.opens && gate.meeting == recording::Meeting::Warp) {
    return trn("open: {} thread has come", "open: {} threads have come", gate.here, here);
  }
  if (gate.opens) {
    return all < gate.threads.size()
               ? trn("open: the {} remaining thread has come", "open: all {} remaining threads have come", all, here)
               : trn("open: the {} thread of the block has come", "open: all {} threads have come", all, here);
  }
  const bool others = gate.meeting != recording::Meeting::Block || gate.awaited == 0;  // also waits for other blocks
  return others ? trf("{} of {} threads have come", here, grouped(all))
                : trf("closed: {} of {} threads have come", here, grouped(all));
}

/// A row of neighbouring threads of a warp that do the same.
struct Row {
  std::uint32_t warp = 0, first = 0, count = 0;  ///< lanes
  AtGate state = AtGate::Absent;
  float back = 0;  ///< from the gate
};

class GatePicture {
 public:
  GatePicture(const Theme& theme, const recording::Gate& gate, const std::string& name, float scale)
      : theme_(theme), gate_(gate), name_(name) {
    const auto threads = static_cast<std::uint32_t>(gate.threads.size());
    warps_ = (threads + kWarpSize - 1) / kWarpSize;
    lanes_ = std::min<std::uint32_t>(threads, kWarpSize);
    const auto warps = static_cast<float>(warps_);
    lane_ = scale * theme.px(std::clamp(kGateLength / static_cast<float>(lanes_), kLeastLane, kMostLane));
    row_ = lane_ * (warps <= kFewWarps ? 1.8F : warps <= kMoreWarps ? 1.1F : 0.6F);
    board_ = scale * theme.px(kBoard);
    legs_ = scale * theme.px(kLegs);
    length_ = std::max(lane_ * static_cast<float>(lanes_), scale * theme.px(kGateLength / 2));
    depth_ = kFront * lane_ + row_ * warps + (kAway + 1) * lane_;
    const FontScope font(theme, Face::Sans, TextSize::Small);
    line_ = ImGui::GetTextLineHeight();
    names_ = theme.px(kBesideRow) + textWidth(warpRangeText(warps_ > 1 ? warps_ - 2 : 0, warps_ - 1));
    const std::string most = grouped(gate.threads.size());
    words_ = std::max(textWidth(trf("closed: {} of {} threads have come", most, most)),
                      textWidth(trf("open: all {} remaining threads have come", most)));
    away_ = kAway * lane_;
  }

  /// The size of its picture, and where in it the gate's left foot is.
  [[nodiscard]] ImVec2 size() const {
    return {(length_ + depth_) * kAlong.x + names_, (length_ + depth_) * kAlong.y + height() * -kUp.y};
  }
  void placeAt(ImVec2 corner) { foot_ = {corner.x + depth_ * kAlong.x, corner.y + height() * -kUp.y}; }
  /// That of its longest words, and what their middle should be near to.
  [[nodiscard]] ImVec2 wordsSize() const { return {words_, line_}; }
  [[nodiscard]] ImVec2 wordsWanted() const {
    const ImVec2 lowest = at(length_, depth_, 0);
    return {lowest.x, lowest.y + line_ / 2};
  }

  /// The tiles of its picture.
  [[nodiscard]] std::vector<std::array<int, 2>> tiles(float tile) {
    placeAt({0, 0});
    const std::array<int, 2> most = {static_cast<int>(size().x / tile), static_cast<int>(size().y / tile)};
    std::vector<char> seen(static_cast<std::size_t>((most[0] + 1) * (most[1] + 1)), 0);
    std::vector<std::array<int, 2>> tiles;
    const auto add = [&](ImVec2 at) {
      const int x = std::clamp(static_cast<int>(at.x / tile), 0, most[0]),
                y = std::clamp(static_cast<int>(at.y / tile), 0, most[1]);
      char& here = seen[static_cast<std::size_t>(y * (most[0] + 1) + x)];
      if (here == 0) { tiles.push_back({x, y}); }
      here = 1;
    };
    const float apart = 0.8F * tile;
    for (float x = 0; x <= length_; x += apart) {
      for (float z = 0; z <= depth_; z += apart) { add(at(x, z, 0)); }
      for (float y = 0; y <= height(); y += apart) { add(at(x, 0, y)); }
    }
    for (float z = 0; z <= depth_; z += apart) {
      for (float x = 0; x <= names_; x += apart) { add({at(length_, z, 0).x + x, at(length_, z, 0).y}); }
    }
    return tiles;
  }

  /// `shares`: how far each warp is on its way to the gate.
  void draw(const std::vector<float>& shares, float opened) const {
    const Palette& colours = theme_.colours();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const std::array ground = {at(0, 0, 0), at(length_, 0, 0), at(length_, depth_, 0), at(0, depth_, 0)};
    list->AddConvexPolyFilled(ground.data(), 4, theme_.faded(colours.textDim, 0.10F));
    drawGate(list, opened);
    std::vector<Row> rows = rowsOf(shares);
    std::ranges::stable_sort(rows, {}, &Row::back);
    for (const Row& row : rows) { drawRow(list, row); }
    drawWarps(list, shares);
  }

  /// In words, centred in the room of the longest.
  void drawWords(ImVec2 corner, float opened) const {
    if (gate_.opens && opened <= 0) { return; }  // they are still coming
    const FontScope font(theme_, Face::Sans, TextSize::Small);
    const std::string state = stateText(gate_);
    const Palette& colours = theme_.colours();
    textAt(ImGui::GetWindowDrawList(), {corner.x + (words_ - textWidth(state)) / 2, corner.y},
           gate_.opens ? colours.good : colours.text, state);
  }

 private:
  [[nodiscard]] float height() const { return (1 + kLifted) * board_ + legs_; }
  [[nodiscard]] ImVec2 at(float along, float back, float up) const {
    return {foot_.x + kAlong.x * along + kBack.x * back, foot_.y + kAlong.y * along + kBack.y * back + kUp.y * up};
  }

  [[nodiscard]] std::vector<Row> rowsOf(const std::vector<float>& shares) const {
    std::vector<Row> rows;
    const bool single = gate_.threads.size() <= kSingleChips;
    for (std::uint32_t thread = 0; thread < gate_.threads.size(); ++thread) {
      const std::uint32_t warp = thread / kWarpSize, lane = thread % kWarpSize;
      const AtGate state = gate_.threads[thread];
      if (state == AtGate::Absent) { continue; }
      if (!single && !rows.empty() && rows.back().warp == warp && rows.back().state == state &&
          rows.back().first + rows.back().count == lane) {
        ++rows.back().count;
        continue;
      }
      const float away = state == AtGate::Awaited ? 1 : state == AtGate::Arriving ? 1 - shares[warp] : 0;
      rows.push_back({warp, lane, 1, state, kFront * lane_ + row_ * static_cast<float>(warp) + away * away_});
    }
    return rows;
  }

  void drawGate(ImDrawList* list, float opened) const {
    const Palette& colours = theme_.colours();
    // Open, it has moved up, out of the way.
    const float lift = opened * kLifted * board_, alpha = 1 - 0.3F * opened;
    const ImU32 rim = theme_.faded(opened > 0 ? colours.good : colours.text, alpha);
    const float low = legs_ + lift, high = low + board_;
    for (const float x : {0.0F, length_}) {
      list->AddLine(at(x, 0, 0), at(x, 0, low + board_), theme_.faded(colours.textDim, 0.9F), theme_.px(2));
    }
    if (opened < 1) {  // closed, bars reach down to the ground
      for (float x = lane_; x < length_ - 1; x += 2 * lane_) {
        list->AddLine(at(x, 0, lift), at(x, 0, low), theme_.faded(colours.textDim, 0.6F * (1 - opened)), theme_.px(1));
      }
    }
    const std::array board = {at(0, 0, low), at(length_, 0, low), at(length_, 0, high), at(0, 0, high)};
    list->AddConvexPolyFilled(board.data(), 4, theme_.faded(Theme::mixed(colours.panel, colours.text, 0.08F), 0.92F));
    list->AddPolyline(board.data(), 4, rim, theme_.px(1.75F), ImDrawFlags_Closed);
    const FontScope font(theme_, Face::Mono, TextSize::Body);
    const float along = std::hypot(kAlong.x, kAlong.y);
    const float size = std::min(0.7F * board_ * -kUp.y / ImGui::GetFontSize(),
                                0.92F * length_ * along / std::max(textWidth(name_), 1.0F));
    ImGui::PushFont(nullptr, ImGui::GetFontSize() * size);
    const float width = textWidth(name_) / along, tall = ImGui::GetFontSize() / -kUp.y;
    slantedTextAt(list, at((length_ - width) / 2, 0, (low + high + tall) / 2), {kAlong.x / along, kAlong.y / along},
                  {0, 1}, rim, name_);
    ImGui::PopFont();
  }

  void drawRow(ImDrawList* list, const Row& row) const {
    const Palette& colours = theme_.colours();
    const bool awaited = row.state == AtGate::Awaited;
    const ImU32 role = awaited ? Theme::mixed(colours.ghost, colours.textDim, 0.35F) : colours.active;
    const float inset = (1 - kChip) / 2 * lane_, deep = kChip * std::min(lane_, row_), tall = 0.6F * lane_;
    const float left = lane_ * static_cast<float>(row.first) + inset;
    const float right = lane_ * static_cast<float>(row.first + row.count) - inset;
    const float near = row.back + deep;
    if (awaited && row_ > lane_) {  // it is on its way
      list->AddLine(at((left + right) / 2, near, 0), at((left + right) / 2, near + 0.8F * lane_, 0),
                    theme_.faded(colours.ghost, 0.6F), theme_.px(1));
    }
    list->AddQuadFilled(at(left, near, 0), at(right, near, 0), at(right, near, tall), at(left, near, tall),
                        Theme::mixed(role, IM_COL32_BLACK, 0.45F));
    list->AddQuadFilled(at(right, row.back, 0), at(right, near, 0), at(right, near, tall), at(right, row.back, tall),
                        Theme::mixed(role, IM_COL32_BLACK, 0.3F));
    list->AddQuadFilled(at(left, row.back, tall), at(right, row.back, tall), at(right, near, tall),
                        at(left, near, tall), role);
  }

  /// Where a warp's threads are; they have all come or not.
  struct WarpPlace {
    ImVec2 at;
    bool here;
  };
  [[nodiscard]] std::optional<WarpPlace> placeOf(std::uint32_t warp, float share) const {
    const AtGate* const begin = gate_.threads.data() + std::size_t{warp} * kWarpSize;
    const std::size_t count = std::min<std::size_t>(kWarpSize, gate_.threads.size() - std::size_t{warp} * kWarpSize);
    std::size_t here = 0, awaited = 0;
    for (std::size_t lane = 0; lane < count; ++lane) {
      here += begin[lane] == AtGate::Arriving || begin[lane] == AtGate::Waiting ? 1 : 0;
      awaited += begin[lane] == AtGate::Awaited ? 1 : 0;
    }
    if (here + awaited == 0) { return std::nullopt; }
    const bool comes = std::find(begin, begin + count, AtGate::Arriving) != begin + count;
    const float away = here == 0 ? 1 : comes ? 1 - share : 0;
    const float back = kFront * lane_ + row_ * static_cast<float>(warp) + away * away_;
    return WarpPlace{at(lane_ * static_cast<float>(std::min<std::size_t>(count, lanes_)), back, 0), awaited == 0};
  }

  /// Which row is which. Where rows are too close together for a name each, neighbours that do the same share one.
  void drawWarps(ImDrawList* list, const std::vector<float>& shares) const {
    struct Name {
      std::uint32_t first, last;
      WarpPlace place;  ///< of the first
    };
    const FontScope font(theme_, Face::Sans, TextSize::Small);
    const auto together = static_cast<std::uint32_t>(std::ceil(kLeading * line_ / (row_ * kBack.y)));
    std::vector<Name> names;
    for (std::uint32_t warp = 0; warp < warps_; ++warp) {
      const auto place = placeOf(warp, shares[warp]);
      if (!place) { continue; }
      const bool joins = !names.empty() && names.back().last + 1 == warp && names.back().place.here == place->here &&
                         warp - names.back().first < together;
      if (joins) {
        names.back().last = warp;
      } else {
        names.push_back({warp, warp, *place});
      }
    }
    std::ranges::stable_sort(names, {}, [](const Name& name) { return name.place.at.y; });
    float next = -1e6F;
    for (const Name& name : names) {
      const float y = std::max(name.place.at.y, next);
      next = y + kLeading * line_;
      textAt(list, {name.place.at.x + theme_.px(kBesideRow), y - line_ / 2},
             name.place.here ? theme_.colours().activeText : theme_.colours().textDim,
             warpRangeText(name.first, name.last));
    }
  }

  const Theme& theme_;
  const recording::Gate& gate_;
  const std::string& name_;
  std::uint32_t warps_ = 1, lanes_ = 1;
  float lane_ = 0, row_ = 0, length_ = 0, depth_ = 0, away_ = 0, board_ = 0, legs_ = 0, names_ = 0;
  float line_ = 0, words_ = 0;  ///< a line of text; the width of the longest words
  ImVec2 foot_{};
};

/// What the place of a gate depends on. Not the step: it stays where it is.
std::uint64_t keyOf(const render::SceneProjection& projection, std::size_t threads, ImVec2 min, ImVec2 max) {
  std::uint64_t key = threads;
  const auto add = [&](float value) { key = (key ^ std::bit_cast<std::uint32_t>(value)) * 0x100000001b3ULL; };
  for (int column = 0; column < 4; ++column) {
    for (int row = 0; row < 4; ++row) { add(projection.matrix()[column][row]); }
  }
  for (const float value : {min.x, min.y, max.x, max.y}) { add(value); }
  return key;
}

/// Beside the gate at `corner`, which `map` has from then on.
std::optional<ImVec2> placeForWords(const Theme& theme, CoveredMap& map, GatePicture& picture, ImVec2 corner,
                                    float tile) {
  for (const std::array<int, 2>& part : picture.tiles(tile)) {
    map.cover({corner.x + (static_cast<float>(part[0]) + 0.5F) * tile,
               corner.y + (static_cast<float>(part[1]) + 0.5F) * tile});
  }
  picture.placeAt(corner);
  const ImVec2 size = picture.wordsSize(), wanted = picture.wordsWanted();
  const std::array<int, 2> tiles = {static_cast<int>(size.x / tile) + 1, static_cast<int>(size.y / tile) + 1};
  std::vector<std::array<int, 2>> shape;
  for (int y = 0; y < tiles[1]; ++y) {
    for (int x = 0; x < tiles[0]; ++x) { shape.push_back({x, y}); }
  }
  const auto at = map.find(shape, tiles, wanted);
  if (!at) { return std::nullopt; }
  const float away = std::hypot(at->x + size.x / 2 - wanted.x, at->y + size.y / 2 - wanted.y);
  return away <= theme.px(kWordsAway) ? at : std::nullopt;
}

}  // namespace

void drawBarrierGate(const Theme& theme, const render::SceneModel& model, const render::SceneProjection& projection,
                     float progress, const std::string& name, const std::vector<LabelPlace>& taken, ImVec2 min,
                     ImVec2 max) {
  if (!model.gate) { return; }
  const recording::Gate& gate = *model.gate;
  ImGui::PushID("gate");
  if (storedChanged("place", keyOf(projection, gate.threads.size(), min, max))) {
    const float tile = theme.px(kTile);
    CoveredMap map(min, max, tile);
    coverScene(map, model, projection, min, tile);
    for (const LabelPlace& label : taken) { map.cover(label.min, label.max); }
    store("scale", 0.0F);
    store("has words", 0);
    for (const float scale : kScales) {
      GatePicture picture(theme, gate, name, scale);
      const ImVec2 size = picture.size();
      const std::array<int, 2> tiles = {static_cast<int>(size.x / tile) + 1, static_cast<int>(size.y / tile) + 1};
      const auto corner = map.find(picture.tiles(tile), tiles, {(min.x + max.x) / 2, (min.y + max.y) / 2});
      if (!corner) { continue; }
      store("scale", scale);
      store("x", corner->x - min.x);
      store("y", corner->y - min.y);
      if (const auto words = placeForWords(theme, map, picture, *corner, tile)) {
        store("has words", 1);
        store("words x", words->x - min.x);
        store("words y", words->y - min.y);
      }
      break;
    }
  }
  const float scale = storedFloat("scale", 0);
  const ImVec2 corner{min.x + storedFloat("x", 0), min.y + storedFloat("y", 0)};
  const bool hasWords = storedInt("has words", 0) != 0;
  const ImVec2 words{min.x + storedFloat("words x", 0), min.y + storedFloat("words y", 0)};
  ImGui::PopID();
  if (scale <= 0) { return; }
  GatePicture picture(theme, gate, name, scale);
  picture.placeAt(corner);
  std::vector<float> shares;
  const std::size_t warps = (gate.threads.size() + kWarpSize - 1) / kWarpSize;
  // Those that come arrive in the first part of the movement; then it opens.
  constexpr float kOpening = 0.75F;
  for (std::size_t warp = 0; warp < warps; ++warp) {
    const float turn = render::turnOf(warp, warps) * render::kTurns;
    const float share = std::clamp((progress / kOpening - turn) / (1 - render::kTurns), 0.0F, 1.0F);
    shares.push_back(eased(share));
  }
  const float opened = gate.opens ? std::clamp((progress - kOpening) / (1 - kOpening), 0.0F, 1.0F) : 0.0F;
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->PushClipRect(min, max, true);
  picture.draw(shares, opened);
  if (hasWords) { picture.drawWords(words, opened); }
  list->PopClipRect();
}

}  // namespace haloscope::ui
