#include "codegen/Constructs.h"

namespace haloscope::codegen {

ConstructId Constructs::open(Construct::Kind kind, std::uint32_t opener, std::uint32_t begin, ConstructId parent) {
  const auto id = static_cast<ConstructId>(all_.size());
  all_.push_back({.kind = kind, .opener = opener, .begin = begin, .end = begin, .parent = parent});
  hasBack_.push_back(false);
  openedBy_[begin] = id;
  return id;
}

Constructs::Constructs(const Program& program)
    : around_(program.code.size(), 0), openedBy_(program.code.size(), kNone), divergent_(program.code.size(), false) {
  all_.push_back({.end = static_cast<std::uint32_t>(program.code.size())});
  hasBack_.push_back(false);
  ConstructId current = 0;
  const auto mark = [&](bool Construct::* what) {
    for (ConstructId at = current; at != kNone; at = all_[at].parent) { all_[at].*what = true; }
  };
  for (std::uint32_t at = 0; at < program.code.size(); ++at) {
    around_[at] = current;
    switch (program.code[at].op) {
      case Opcode::If:
        current = open(Construct::Kind::Then, at, at, current);
        break;
      case Opcode::Else: {
        const std::uint32_t opener = all_[current].opener;
        all_[current].end = at;
        current = open(Construct::Kind::Else, opener, at, all_[current].parent);
        break;
      }
      case Opcode::Loop:
        current = open(Construct::Kind::Loop, at, at, current);
        break;
      case Opcode::Call:
        current = open(Construct::Kind::Call, at, at, current);
        break;
      case Opcode::EndIf:
      case Opcode::EndLoop:
      case Opcode::EndCall:
        all_[current].end = at + 1;
        current = all_[current].parent;
        break;
      case Opcode::LoopBack:
        hasBack_[current] = true;
        break;
      case Opcode::Break:
      case Opcode::Continue:
      case Opcode::Return:
        mark(&Construct::leaves);
        break;
      case Opcode::Barrier:
        mark(&Construct::barrier);
        break;
      default:
        break;
    }
  }
}

bool Constructs::encloses(ConstructId outer, ConstructId inner) const {
  while (inner != kNone && inner > outer) { inner = all_[inner].parent; }
  return inner == outer;
}

bool Constructs::setDivergent(std::uint32_t opener) {
  const bool isNew = !divergent_[opener];
  divergent_[opener] = true;
  return isNew;
}

ConstructId Constructs::divergence(std::uint32_t instruction) const {
  ConstructId at = around_[instruction];
  while (at != 0 && !divergent_[all_[at].opener]) { at = all_[at].parent; }
  return at;
}

ConstructId Constructs::loopOf(std::uint32_t instruction, bool withBack) const {
  ConstructId at = around_[instruction];
  while (at != kNone && (all_[at].kind != Construct::Kind::Loop || (withBack && !hasBack_[at]))) {
    at = all_[at].parent;
  }
  return at;
}

ConstructId Constructs::callOf(std::uint32_t instruction) const {
  ConstructId at = around_[instruction];
  while (at != kNone && all_[at].kind != Construct::Kind::Call) { at = all_[at].parent; }
  return at;
}

bool Constructs::divergesWithin(ConstructId outer, std::uint32_t instruction) const {
  for (ConstructId at = around_[instruction]; at != outer && at != kNone; at = all_[at].parent) {
    if (divergent_[all_[at].opener]) { return true; }
  }
  return false;
}

}  // namespace haloscope::codegen
