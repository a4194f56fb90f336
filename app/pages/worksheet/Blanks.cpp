#include "worksheet/Blanks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <set>
#include <utility>

#include "experiment/TracedOutput.h"
#include "program/RealBits.h"

namespace haloscope::worksheet {

namespace {

using recording::Change;
using recording::Origin;
using recording::Role;

constexpr std::size_t kMostCopies = 6, kMostOutputs = 4;
constexpr std::size_t kMostTraced = 24;  // outputs that are looked at for as many

class BlankChooser {
 public:
  BlankChooser(BlockPicture& picture, const experiment::Experiment& experiment, const ThreadTrace& trace)
      : picture_(picture),
        experiment_(experiment),
        printed_(trace.printed.begin(), trace.printed.end()),
        hidden_(trace.hidden.begin(), trace.hidden.end()) {
    for (const PictureGrid& grid : picture.grids) {
      for (const PictureCell& cell : grid.cells) {
        const bool input = cell.shown && !cell.output && cell.key.kind == Change::Kind::Global;
        if (input && !hidden_.contains(cell.key)) { drawn_.insert(cell.key); }
      }
    }
  }

  std::vector<Blank> choose() {
    const std::size_t copies = chooseCopies();
    chooseOutputs(copies == 0 ? kMostOutputs + 2 : kMostOutputs);
    // Numbered as they are read.
    std::vector<Blank> blanks;
    for (PictureGrid& grid : picture_.grids) {
      for (PictureCell& cell : grid.cells) {
        if (!cell.shown || !chosen_.contains(cell.key)) { continue; }
        cell.blank = static_cast<int>(blanks.size());
        blanks.push_back(blankOf(cell));
      }
    }
    return blanks;
  }

 private:
  /// Cells in an order that depends on the kernel alone.
  [[nodiscard]] std::vector<const PictureCell*> inOrder(auto&& wanted) const {
    std::vector<std::pair<std::uint64_t, const PictureCell*>> cells;
    for (const PictureGrid& grid : picture_.grids) {
      for (const PictureCell& cell : grid.cells) {
        if (!cell.shown || cell.faulty || printed_.contains(cell.key) || !wanted(cell)) { continue; }
        cells.emplace_back(scattered(cell.name, 0), &cell);
      }
    }
    std::ranges::sort(cells, {}, [](const auto& one) { return std::pair(one.first, one.second->key); });
    std::vector<const PictureCell*> result;
    for (const auto& [order, cell] : cells) { result.push_back(cell); }
    return result;
  }

  /// Halo cells and interior points in turn, from each array alike.
  std::size_t chooseCopies() {
    std::vector<const PictureCell*> cells = inOrder([&](const PictureCell& cell) {
      return cell.carrier && cell.cell.origin.kind == Origin::Kind::Element &&
             drawn_.contains({Change::Kind::Global, cell.cell.origin.object, cell.cell.origin.element});
    });
    std::set<std::uint32_t> arrays;
    for (const PictureCell* cell : cells) { arrays.insert(cell->key.id); }
    std::size_t count = 0;
    for (std::size_t turn = 0; count < kMostCopies && turn < kMostCopies; ++turn) {
      for (const std::uint32_t array : arrays) {
        const bool halo = (turn + array) % 2 == 0;
        auto next = std::ranges::find_if(cells, [&](const PictureCell* cell) {
          return cell->key.id == array && (cell->role == Role::Halo) == halo && !chosen_.contains(cell->key);
        });
        if (next == cells.end()) {
          next = std::ranges::find_if(
              cells, [&](const PictureCell* cell) { return cell->key.id == array && !chosen_.contains(cell->key); });
        }
        if (next == cells.end() || count == kMostCopies) { continue; }
        chosen_.insert((*next)->key);
        ++count;
      }
    }
    for (const CellKey& key : hidden_) { chosen_.insert(key); }
    return count;
  }

  void chooseOutputs(std::size_t most) {
    std::vector<const PictureCell*> cells = inOrder([](const PictureCell& cell) { return cell.output; });
    if (cells.size() > kMostTraced) { cells.resize(kMostTraced); }
    std::vector<std::int64_t> elements;
    for (const PictureCell* cell : cells) { elements.push_back(cell->key.index); }
    // Those of the traced thread come with its trace.
    for (const CellKey& key : hidden_) {
      const bool output = key.kind == Change::Kind::Global && key.id == experiment_.footprint.output;
      if (output && std::ranges::find(elements, key.index) == elements.end()) { elements.push_back(key.index); }
    }
    if (elements.empty()) { return; }
    const auto traced = experiment::traceOutputs(experiment_, elements);
    std::size_t count = 0;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (!traced[i]) { continue; }
      const CellKey key{Change::Kind::Global, experiment_.footprint.output, elements[i]};
      const bool followed = hidden_.contains(key);
      if (!followed && (count == most || !canBeWorkedOut(*traced[i]))) { continue; }
      sums_[key] = {sumText(*traced[i]), traced[i]->trace.bits};
      if (!followed) {
        chosen_.insert(key);
        ++count;
      }
    }
  }
  /// Whether all that it is made of can be read in the picture.
  [[nodiscard]] bool canBeWorkedOut(const experiment::TracedOutput& traced) const {
    if (sumText(traced).empty()) { return false; }
    return std::ranges::all_of(traced.trace.operands, [&](const provenance::Operand& operand) {
      using Kind = provenance::Operand::Kind;
      if (operand.kind == Kind::Literal) { return true; }
      if (operand.kind != Kind::Element && operand.kind != Kind::Constant) { return false; }
      return drawn_.contains({Change::Kind::Global, operand.object, operand.element});
    });
  }

  [[nodiscard]] Blank blankOf(const PictureCell& cell) const {
    Blank blank;
    blank.name = cell.name;
    blank.value = cellText(cell.type, cell.cell.bits);
    const auto sum = sums_.find(cell.key);
    // The trace is of the value that stays: a block may write an element again.
    if (sum != sums_.end() && sum->second.second == cell.cell.bits) {
      blank.derivation = sum->second.first;
    } else if (cell.cell.origin.kind == Origin::Kind::Element) {
      blank.copy = true;
      blank.derivation =
          recording::formatElement(experiment_.program->objects[cell.cell.origin.object].name,
                                   experiment_.recording->extents[cell.cell.origin.object], cell.cell.origin.element);
    }
    return blank;
  }

  BlockPicture& picture_;
  const experiment::Experiment& experiment_;
  std::set<CellKey> printed_, hidden_, drawn_, chosen_;
  std::map<CellKey, std::pair<std::string, std::uint64_t>> sums_;
};

}  // namespace

std::vector<Blank> chooseBlanks(BlockPicture& picture, const experiment::Experiment& experiment,
                                const ThreadTrace& trace) {
  return BlankChooser(picture, experiment, trace).choose();
}

std::string cellText(ValueType type, std::uint64_t bits) {
  if (!isFloating(type)) { return recording::formatValue(type, bits); }
  if (recording::isPoison(type, bits)) { return "?"; }
  const double value = numberOf(type, bits);
  if (!std::isfinite(value)) { return fmt::format("{}", value); }
  if (value == std::floor(value) && std::abs(value) < 1e5) { return fmt::format("{:.0f}", value + 0.0); }
  std::string text = fmt::format("{:.3g}", value);
  // No room for the zero before the point: .618
  if (text.starts_with("0.")) { text.erase(0, 1); }
  if (text.starts_with("-0.")) { text.erase(1, 1); }
  return text;
}

std::uint64_t scattered(std::string_view text, std::uint64_t number) {
  std::uint64_t hash = 14695981039346656037U;  // FNV-1a, then the finaliser of SplitMix64
  for (const char c : text) { hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U; }
  hash += number * 0x9e3779b97f4a7c15U;
  hash = (hash ^ (hash >> 30U)) * 0xbf58476d1ce4e5b9U;
  hash = (hash ^ (hash >> 27U)) * 0x94d049bb133111ebU;
  return hash ^ (hash >> 31U);
}

}  // namespace haloscope::worksheet
