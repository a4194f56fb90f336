#include "render/SceneBench.h"

#include <algorithm>
#include <glm/common.hpp>
#include <map>
#include <set>

namespace haloscope::render {

using recording::Carrier;

namespace {

constexpr int kInLine = 4;           ///< more slots of a kind go to further lines
constexpr float kBetween = 0.16F;    ///< slots in line, in lengths of one
constexpr float kLeastBetween = 2;   ///< cells
constexpr float kThickness = 0.15F;  ///< of a board, by a slot's shorter edge
constexpr float kLeastThickness = 0.7F;
constexpr float kBoardMargin = 0.8F;  ///< around the slots, in cells

/// A column and a line of the bench.
struct Place {
  int column = 0, line = 0;
};

/// Shared arrays and registers that hold the same grid plane lie in the same column, if there are few; else they fill
/// lines one after the other.
std::vector<Place> placesOf(const std::vector<BenchEntry>& entries) {
  std::set<int> planes;
  std::map<Carrier::Kind, int> counts;
  for (const BenchEntry& entry : entries) {
    if (entry.ahead) { planes.insert(*entry.ahead); }
    ++counts[entry.kind];
  }
  std::vector<Place> places;
  int firstLine = 0;
  for (const Carrier::Kind kind : {Carrier::Kind::SharedArray, Carrier::Kind::Register}) {
    std::set<int> taken;
    int lines = 0, next = 0;
    const bool byPlane = static_cast<int>(planes.size()) <= kInLine && counts[kind] <= kInLine;
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
      places[i] = {at % kInLine, firstLine + at / kInLine};
      lines = std::max(lines, at / kInLine + 1);
    }
    firstLine += lines;
  }
  return places;
}

}  // namespace

SceneBench::SceneBench(const std::vector<BenchEntry>& entries, glm::vec2 size) {
  if (entries.empty()) { return; }
  thickness_ = std::max(kLeastThickness, kThickness * std::min(size.x, size.y));
  const std::vector<Place> places = placesOf(entries);
  const glm::vec2 pitch = size + glm::max(size * kBetween, glm::vec2(kLeastBetween));
  std::map<int, Board> boards;
  glm::vec2 low{0}, high{0};
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const glm::vec2 middle = pitch * glm::vec2(places[i].column, -places[i].line);
    const glm::vec2 reach = size / 2.0F + glm::vec2(kBoardMargin);
    slots_.push_back(middle);
    lines_.push_back(places[i].line);
    const auto [board, isNew] = boards.try_emplace(places[i].line);
    Board& one = board->second;
    one.kind = entries[i].kind;
    one.low = isNew ? middle - reach : glm::min(one.low, middle - reach);
    one.high = isNew ? middle + reach : glm::max(one.high, middle + reach);
    low = i == 0 ? middle - reach : glm::min(low, middle - reach);
    high = i == 0 ? middle + reach : glm::max(high, middle + reach);
  }
  const glm::vec2 centre = (low + high) / 2.0F;
  for (glm::vec2& slot : slots_) { slot -= centre; }
  for (auto& [line, board] : boards) {
    board.low -= centre;
    board.high -= centre;
    boards_.push_back(board);
  }
}

const SceneBench::Board* SceneBench::frontBoard(std::size_t entry) const {
  return lines_.at(entry) == 0 ? &boards_.front() : nullptr;
}

std::vector<glm::vec2> SceneBench::corners() const {
  std::vector<glm::vec2> corners;
  for (const Board& board : boards_) {
    corners.insert(corners.end(), {board.low, {board.high.x, board.low.y}, board.high, {board.low.x, board.high.y}});
  }
  return corners;
}

}  // namespace haloscope::render
