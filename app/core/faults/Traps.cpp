#include "faults/Traps.h"

#include <algorithm>
#include <bit>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

#include "language/Text.h"
#include "recording/BlockView.h"
#include "simt/Warp.h"

namespace haloscope::faults {
namespace {

bool isLetter(char one) { return (one >= 'a' && one <= 'z') || (one >= 'A' && one <= 'Z') || one == '_'; }
bool isDigit(char one) { return one >= '0' && one <= '9'; }

/// The end of a string or character literal that begins at `at`.
std::size_t literalEnd(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (++at; at < text.size() && text[at] != quote; ++at) {
    if (text[at] == '\\') { ++at; }
  }
  return std::min(at + 1, text.size());
}

/// Whether what begins at `at` is a member of what is before it.
bool isMember(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  const std::size_t last = before.find_last_not_of(" \t\n");
  if (last == std::string_view::npos) { return false; }
  return before[last] == '.' || (before[last] == '>' && last > 0 && before[last - 1] == '-');
}

/// The names in an expression, members with what they are members of: "grid.nx". Members of anything but a name are
/// left out. Each once, in its order.
std::vector<std::string_view> namesIn(std::string_view expression) {
  std::vector<std::string_view> names;
  for (std::size_t at = 0; at < expression.size();) {
    if (expression[at] == '"' || expression[at] == '\'') {
      at = literalEnd(expression, at);
      continue;
    }
    std::size_t end = at;
    while (end < expression.size() && (isLetter(expression[end]) || isDigit(expression[end]) ||
                                       (expression[end] == '.' && end > at && isLetter(expression[at])))) {
      ++end;
    }
    const std::string_view name = expression.substr(at, end - at);
    if (!name.empty() && isLetter(name.front()) && !isMember(expression, at) &&
        std::ranges::find(names, name) == names.end()) {
      names.push_back(name);
    }
    at = std::max(end, at + 1);
  }
  return names;
}

/// Whether a place lies in a range of the text.
bool isIn(const SourceRange& place, const SourceRange& range) {
  return std::tie(range.line, range.column) <= std::tie(place.line, place.column) &&
         std::tie(place.line, place.column) <= std::tie(range.endLine, range.endColumn);
}

/// The variable that a name means at a place: the one that was declared last. Pointers have no value that says much.
const Variable* variableNamed(std::string_view name, const SourceRange& place, const Program& program) {
  const Variable* found = nullptr;
  for (const Variable& one : program.variables) {
    const bool known = one.name == name && one.reg != kNone && isIn(place, one.scope) &&
                       program.registers[one.reg].type != ValueType::Pointer;
    const bool later = found == nullptr || std::tie(found->declared.line, found->declared.column) <=
                                               std::tie(one.declared.line, one.declared.column);
    if (known && later) { found = &one; }
  }
  return found;
}

}  // namespace

std::string Traps::valuesIn(const simt::WarpContext& context, const Instruction& trap) const {
  if (trap.aux == kNone) { return {}; }
  std::string values;
  for (const std::string_view name : namesIn(program_.assertions.at(trap.aux))) {
    const Variable* const variable = variableNamed(name, trap.range, program_);
    if (variable == nullptr) { continue; }
    const std::uint64_t bits = context.state->bits(variable->reg, std::countr_zero(context.active));
    values += trf("{}{} is {}", values.empty() ? "" : tr(" and "), name,
                  recording::formatValue(program_.registers[variable->reg].type, bits));
  }
  return values;
}

void Traps::threadsTrap(const simt::WarpContext& context, std::uint32_t instruction) {
  if (first_ && first_->block <= context.blockLinear) { return; }
  const std::uint64_t firstOfWarp = std::uint64_t{context.warp} * kWarpSize;
  first_ = {.instruction = instruction,
            .block = context.blockLinear,
            .interval = context.interval,
            .thread = firstOfWarp + static_cast<std::uint64_t>(std::countr_zero(context.active)),
            .occurrences = static_cast<std::uint64_t>(std::popcount(context.active)),
            .values = valuesIn(context, program_.code[instruction])};
}

void Traps::join(Observer& worker) {
  const std::optional<Place>& other = static_cast<Traps&>(worker).first_;
  if (other && (!first_ || other->block < first_->block)) { first_ = other; }
}

std::optional<Finding> Traps::finding() const {
  if (!first_) { return std::nullopt; }
  const Instruction& trap = program_.code[first_->instruction];
  Finding finding{.kind = trap.aux == kNone ? FindingKind::Trap : FindingKind::FailedAssertion,
                  .where = trap.range,
                  .threads = {{unlinear(first_->block, launch_.configuration.grid),
                               unlinear(first_->thread, launch_.configuration.block)}},
                  .interval = first_->interval,
                  .occurrences = first_->occurrences};
  const std::string who = trf("thread {} of block {}", text(finding.threads[0].thread), text(finding.threads[0].block));
  finding.message =
      trap.bulk && program_.assertions.at(trap.aux).find("tensor") != std::string::npos
          ? trf("{} fails in {}{}{}: what a GPU does here is undefined", program_.assertions.at(trap.aux), who,
                first_->values.empty() ? "" : tr(", where "), first_->values)
      : trap.bulk
          ? trf("{} fails in {}{}{}: a GPU copies whole vectors of 16 bytes, and what it does here is undefined",
                program_.assertions.at(trap.aux), who, first_->values.empty() ? "" : tr(", where "), first_->values)
      : trap.aux == kNone
          ? trf("{} reaches a trap: a GPU ends the program here with error 719 (cudaErrorLaunchFailure)", who)
          : trf("assert({}) fails in {}{}{}: a GPU ends the program here with error 710 (cudaErrorAssert)",
                program_.assertions.at(trap.aux), who, first_->values.empty() ? "" : tr(", where "), first_->values);
  return finding;
}

void eraseAssertions(std::vector<Finding>& findings) {
  std::erase_if(findings, [](const Finding& one) { return one.kind == FindingKind::FailedAssertion; });
}

}  // namespace haloscope::faults
