#include "render/SceneBench.h"

#include <algorithm>
#include <glm/common.hpp>
#include <map>
#include <set>
#include <utility>

namespace haloscope::render {

using recording::Carrier;

namespace {

constexpr float kBetween = 0.16F;    ///< slots in line, in lengths of one
constexpr float kLeastBetween = 2;   ///< cells
constexpr float kThickness = 0.15F;  ///< of a board, by a slot's shorter edge
constexpr float kLeastThickness = 0.7F;
constexpr float kBoardMargin = 0.8F;  ///< around the slots, in cells
/// Ground before a board, in its thicknesses: from home its front is seen whole over the board before it. Before the
/// foremost of a kind there is room for a line of words, too.
constexpr float kBetweenBoards = 1.2F;  ///< more room between kinds that lie abreast, in cells
constexpr float kBeforeFront = 1.5F, kBeforeWords = 1.3F;

/// A column and a line of the bench.
struct Place {
  int column = 0, line = 0;
};

/// Shared arrays and registers that hold the same grid plane lie in the same column, if there are few; else they fill
/// lines one after the other. Abreast, each kind has its own columns.
std::vector<Place> placesOf(const std::vector<BenchEntry>& entries, int inLine, bool abreast) {
  std::set<int> planes;
  std::map<Carrier::Kind, int> counts;
  for (const BenchEntry& entry : entries) {
    if (entry.ahead) { planes.insert(*entry.ahead); }
    ++counts[entry.kind];
  }
  std::vector<Place> places;
  int firstLine = 0, firstColumn = 0;
  for (const Carrier::Kind kind : {Carrier::Kind::SharedArray, Carrier::Kind::Register}) {
    std::set<int> taken;
    int lines = 0, next = 0;
    const bool byPlane = !abreast && static_cast<int>(planes.size()) <= inLine && counts[kind] <= inLine;
    places.resize(entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (entries[i].kind != kind) { continue; }
      int at = next;
      if (byPlane && entries[i].ahead) {
        at = static_cast<int>(std::distance(planes.begin(), planes.find(*entries[i].ahead)));
      }
      while (taken.contains(at)) { ++at; }
      taken.insert(at);
      next = at + 1;
      places[i] = {firstColumn + at % inLine, firstLine + at / inLine};
      lines = std::max(lines, at / inLine + 1);
    }
    if (abreast) {
      for (const Place& place : places) { firstColumn = std::max(firstColumn, place.column + 1); }
    } else {
      firstLine += lines;
    }
  }
  return places;
}

}  // namespace

SceneBench::SceneBench(const std::vector<BenchEntry>& entries, glm::vec2 size, std::size_t inLine, bool abreast,
                       float leastThickness) {
  if (entries.empty()) { return; }
  thickness_ = std::max({leastThickness, kLeastThickness, kThickness * std::min(size.x, size.y)});
  const std::vector<Place> places = placesOf(entries, static_cast<int>(std::max<std::size_t>(inLine, 1)), abreast);
  const float pitch = size.x + std::max(size.x * kBetween, kLeastBetween);
  const glm::vec2 reach = size / 2.0F + glm::vec2(kBoardMargin);
  using Key = std::pair<int, Carrier::Kind>;  // line and kind
  std::map<Key, std::size_t> keys;
  for (std::size_t i = 0; i < entries.size(); ++i) { keys.insert({{places[i].line, entries[i].kind}, 0}); }
  std::map<int, float> at;  // middles of the lines
  std::map<Carrier::Kind, bool> begun;
  float behind = 0;  // where the next line's front is
  for (auto& [key, board] : keys) {
    const bool foremost = !std::exchange(begun[key.second], true);
    if (!at.contains(key.first)) {
      if (!at.empty()) { behind -= thickness_ * (kBeforeFront + (foremost ? kBeforeWords : 0)); }
      at[key.first] = behind - reach.y;
      behind -= 2 * reach.y;
    }
    board = boards_.size();
    boards_.push_back({.kind = key.second, .foremost = foremost});
  }
  glm::vec2 low{0}, high{0};
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const float aside = abreast && entries[i].kind == Carrier::Kind::Register ? kBetweenBoards : 0;
    const glm::vec2 middle{pitch * static_cast<float>(places[i].column) + aside, at.at(places[i].line)};
    slots_.push_back(middle);
    lines_.push_back(keys.at({places[i].line, entries[i].kind}));
    Board& board = boards_[lines_.back()];
    const bool isNew = board.low == board.high;
    board.low = isNew ? middle - reach : glm::min(board.low, middle - reach);
    board.high = isNew ? middle + reach : glm::max(board.high, middle + reach);
    low = i == 0 ? middle - reach : glm::min(low, middle - reach);
    high = i == 0 ? middle + reach : glm::max(high, middle + reach);
  }
  const glm::vec2 centre = (low + high) / 2.0F;
  for (glm::vec2& slot : slots_) { slot -= centre; }
  for (Board& board : boards_) {
    board.low -= centre;
    board.high -= centre;
  }
}

std::vector<glm::vec2> SceneBench::corners() const {
  std::vector<glm::vec2> corners;
  for (const Board& board : boards_) {
    corners.insert(corners.end(), {board.low, {board.high.x, board.low.y}, board.high, {board.low.x, board.high.y}});
  }
  return corners;
}

}  // namespace haloscope::render
