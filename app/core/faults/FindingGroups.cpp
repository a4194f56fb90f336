#include "faults/FindingGroups.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace haloscope::faults {
namespace {

/// Disjoint sets of the numbers below a count.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0U); }

  std::uint32_t find(std::uint32_t one) {
    while (parent_[one] != one) { one = parent_[one] = parent_[parent_[one]]; }
    return one;
  }
  void unite(std::uint32_t one, std::uint32_t other) { parent_[find(one)] = find(other); }

 private:
  std::vector<std::uint32_t> parent_;
};

/// Whether other lanes, or another interval, run what follows the instruction.
bool parts(Opcode op) {
  switch (op) {
    case Opcode::If:
    case Opcode::Else:
    case Opcode::EndIf:
    case Opcode::Loop:
    case Opcode::LoopTest:
    case Opcode::LoopNext:
    case Opcode::LoopBack:
    case Opcode::EndLoop:
    case Opcode::Break:
    case Opcode::Continue:
    case Opcode::Return:
    case Opcode::Barrier:
      return true;
    default:
      return false;
  }
}

std::tuple<int, int, int, int> placeOf(const SourceRange& where) {
  return {where.line, where.column, where.endLine, where.endColumn};
}

bool isRace(const Finding& finding) {
  return finding.kind == FindingKind::RaceShared || finding.kind == FindingKind::RaceGlobal;
}

/// What counts as one finding however often it occurs: two uninitialised variables are two mistakes.
bool standsAlone(const Finding& finding) {
  return finding.kind == FindingKind::Uninitialized && finding.object == kNone;
}

}  // namespace

FindingGroups::FindingGroups(const Program& program) {
  // Numbers of pieces, then of the statements: an expression with a branch in it unites several pieces.
  const std::size_t count = program.code.size();
  DisjointSets sets(count + 1 + program.statements.size());
  std::uint32_t piece = 0;
  StatementId statement = kNone;
  std::vector<std::uint32_t> pieceOf(count);
  std::map<Place, std::uint32_t> known;
  for (std::size_t at = 0; at < count; ++at) {
    const Instruction& code = program.code[at];
    if (code.op == Opcode::Statement) { statement = code.aux; }
    pieceOf[at] = piece;
    if (statement != kNone) { sets.unite(piece, static_cast<std::uint32_t>(count + 1 + statement)); }
    if (code.range.valid()) {
      // A helper that is inlined several times has its places several times.
      const auto [first, added] = known.try_emplace(placeOf(code.range), piece);
      if (!added && (code.op == Opcode::Load || code.op == Opcode::Store)) { sets.unite(piece, first->second); }
    }
    if (parts(code.op)) { ++piece; }
  }
  for (const auto& [place, number] : known) { pieces_[place] = sets.find(number); }
}

std::uint32_t FindingGroups::pieceAt(const SourceRange& where) const {
  const auto found = pieces_.find(placeOf(where));
  return found == pieces_.end() ? kNone : found->second;
}

std::vector<std::vector<std::size_t>> FindingGroups::of(std::span<const Finding> findings) const {
  DisjointSets sets(findings.size());
  std::map<std::tuple<FindingKind, ObjectId, std::uint32_t>, std::uint32_t> first;
  for (std::uint32_t i = 0; i < findings.size(); ++i) {
    const Finding& finding = findings[i];
    if (standsAlone(finding)) { continue; }
    const auto joinAt = [&](const SourceRange& where) {
      const std::uint32_t piece = pieceAt(where);
      if (piece == kNone) { return; }
      const auto [known, added] = first.try_emplace({finding.kind, finding.object, piece}, i);
      if (!added) { sets.unite(i, known->second); }
    };
    joinAt(finding.where);
    if (isRace(finding)) { joinAt(finding.other); }
  }
  std::map<std::uint32_t, std::size_t> numbers;
  std::vector<std::vector<std::size_t>> groups;
  for (std::uint32_t i = 0; i < findings.size(); ++i) {
    const auto [number, added] = numbers.try_emplace(sets.find(i), groups.size());
    if (added) { groups.emplace_back(); }
    groups[number->second].push_back(i);
  }
  return groups;
}

Finding FindingGroups::merged(std::span<const Finding> findings, std::span<const std::size_t> group) {
  std::vector<std::size_t> order(group.begin(), group.end());
  // What ends a program comes first. A thread that reads too early is clearer than two that write.
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    const auto rank = [](const Finding& one) {
      return std::tuple(!one.illegalAddress, isRace(one) && !one.otherReads, one.where.line, one.where.column,
                        one.other.line, one.other.column);
    };
    return rank(findings[a]) < rank(findings[b]);
  });
  Finding headline = findings[order.front()];
  std::set<std::pair<Place, Place>> listed{{placeOf(headline.where), placeOf(headline.other)}};
  for (auto member = order.begin() + 1; member != order.end(); ++member) {
    const Finding& finding = findings[*member];
    headline.occurrences += finding.occurrences;
    if (listed.emplace(placeOf(finding.where), placeOf(finding.other)).second) {
      headline.also.push_back({finding.where, finding.other, finding.message});
    }
  }
  return headline;
}

std::vector<Finding> FindingGroups::merged(std::span<const Finding> findings) const {
  std::vector<Finding> all;
  for (const std::vector<std::size_t>& group : of(findings)) { all.push_back(merged(findings, group)); }
  return all;
}

}  // namespace haloscope::faults
