#include "simt/Structure.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "language/Text.h"

namespace haloscope::simt {
namespace {

bool opens(Opcode op) { return op == Opcode::If || op == Opcode::Loop || op == Opcode::Call; }

bool closes(Opcode op) { return op == Opcode::EndIf || op == Opcode::EndLoop || op == Opcode::EndCall; }

/// The instruction that opens the enclosing construct.
Opcode openerOf(Opcode op) {
  switch (op) {
    case Opcode::Else:
    case Opcode::EndIf:
      return Opcode::If;
    case Opcode::EndCall:
      return Opcode::Call;
    default:
      return Opcode::Loop;
  }
}

bool belongsToTop(Opcode op) {
  return closes(op) || op == Opcode::Else || op == Opcode::LoopNext || op == Opcode::LoopBack;
}

}  // namespace

Structure::Structure(const Program& program) {
  findEnds(program);
  findJoins(program);
  findRegions(program);
}

void Structure::findEnds(const Program& program) {
  const std::vector<Instruction>& code = program.code;
  next_.assign(code.size(), kNone);
  back_.assign(code.size(), kNone);
  std::vector<std::uint32_t> open;
  for (std::uint32_t at = 0; at < code.size(); ++at) {
    const Opcode op = code[at].op;
    if (opens(op)) { open.push_back(at); }
    if (!belongsToTop(op)) { continue; }
    if (open.empty() || code[open.back()].op != openerOf(op)) {
      throw std::logic_error(trf("{} at instruction {} is outside its construct", name(op), at));
    }
    std::uint32_t& next = next_[open.back()];
    const bool meets = op == Opcode::LoopNext || op == Opcode::LoopBack || op == Opcode::EndLoop;
    if (next == kNone && (meets || op == Opcode::EndCall)) { next = at; }
    if (op == Opcode::LoopBack) { back_[open.back()] = at; }
    if (op == Opcode::EndLoop && back_[open.back()] != kNone) { loops_.push_back({open.back(), at}); }
    if (closes(op)) { open.pop_back(); }
  }
  if (!open.empty()) {
    throw std::logic_error(trf("{} at instruction {} has no end", name(code[open.back()].op), open.back()));
  }
}

void Structure::findJoins(const Program& program) {
  struct Construct {
    std::uint32_t opener;
    std::uint32_t join;
  };
  const std::vector<Instruction>& code = program.code;
  const auto count = static_cast<std::uint32_t>(code.size());
  joins_.assign(count, 0);
  toLoop_.assign(count, 0);
  insideCall_.assign(count, false);
  std::vector<Construct> open{{kNone, count - 1}};  // the kernel itself, which End ends
  for (std::uint32_t at = 0; at < count; ++at) {
    const Instruction& instruction = code[at];
    Construct& top = open.back();
    switch (instruction.op) {
      case Opcode::Else:
        top.join = instruction.target;
        break;
      case Opcode::LoopNext:
        top.join = back_[top.opener];
        break;
      case Opcode::EndIf:
      case Opcode::EndLoop:
      case Opcode::EndCall:
        open.pop_back();
        break;
      default:
        break;
    }
    joins_[at] = open.back().join;
    insideCall_[at] = std::any_of(open.begin() + 1, open.end(), [&code](const Construct& construct) {
      return code[construct.opener].op == Opcode::Call;
    });
    if (instruction.op == Opcode::Continue) {
      const auto loop = std::find_if(open.rbegin(), open.rend() - 1, [this, &code](const Construct& construct) {
        return code[construct.opener].op == Opcode::Loop && back_[construct.opener] != kNone;
      });
      toLoop_[at] = static_cast<std::uint32_t>(loop - open.rbegin());
    }
    if (instruction.op == Opcode::If) { open.push_back({at, instruction.target}); }
    if (instruction.op == Opcode::Loop || instruction.op == Opcode::Call) { open.push_back({at, next_[at]}); }
    depth_ = std::max(depth_, static_cast<std::uint32_t>(open.size()));
  }
}

void Structure::findRegions(const Program& program) {
  region_.assign(program.code.size(), 0);
  regionAround_.assign(1, kNone);
  std::uint32_t current = 0;
  const auto enter = [&](std::uint32_t around) {
    current = static_cast<std::uint32_t>(regionAround_.size());
    regionAround_.push_back(around);
  };
  for (std::uint32_t at = 0; at < program.code.size(); ++at) {
    const Opcode op = program.code[at].op;
    // Other lanes become active at an Else; lanes that skipped the code before a LoopNext return there.
    if (op == Opcode::Else || op == Opcode::LoopNext) { enter(regionAround_[current]); }
    if (closes(op)) { current = regionAround_[current]; }
    region_[at] = current;
    if (opens(op)) { enter(current); }
  }
}

bool Structure::encloses(std::uint32_t outer, std::uint32_t inner) const {
  while (inner != kNone && inner > outer) {
    inner = regionAround_[inner];
  }  // a region's number is lower than those of its children
  return inner == outer;
}

std::uint32_t Structure::commonRegion(std::uint32_t a, std::uint32_t b) const {
  while (a != b) {
    if (a < b) {
      b = regionAround_[b];
    } else {
      a = regionAround_[a];
    }
  }
  return a;
}

}  // namespace haloscope::simt
