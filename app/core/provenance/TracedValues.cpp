#include "provenance/TracedValues.h"

namespace haloscope::provenance {

namespace {

Operand::Kind kindOf(const TracedValue& node) {
  switch (node.kind) {
    case TracedValue::Kind::Element:
      return Operand::Kind::Element;
    case TracedValue::Kind::Computed:
      return Operand::Kind::Computed;
    case TracedValue::Kind::Constant:
      return Operand::Kind::Constant;
    case TracedValue::Kind::Uninitialised:
      return Operand::Kind::Uninitialised;
    case TracedValue::Kind::OutOfBounds:
      return Operand::Kind::OutOfBounds;
    case TracedValue::Kind::Operation:
    case TracedValue::Kind::Copy:
    case TracedValue::Kind::Literal:
      break;
  }
  return Operand::Kind::Literal;
}

}  // namespace

std::optional<OutputTrace> TracedValues::trace(ValueId cell, ObjectId object, std::int64_t element) const {
  if ((*this)[cell].kind != TracedValue::Kind::Copy) { return std::nullopt; }
  const TracedValue& written = (*this)[cell];
  OutputTrace trace{object, element, written.bits, written.thread, written.step, written.statement, {}, {}, {}};
  // A stack instead of recursion: the sum of a long loop is as deep as the loop is long.
  struct Open {
    ValueId node;
    Operation operation;
    std::size_t next = 0;  ///< which of what it takes is looked at next
  };
  std::vector<Open> open;
  std::vector<std::uint32_t> finished(count_, kNone);  ///< per Operation node: its place in the trace
  // What `from` is to its user, if that is known already; else it becomes the top of the stack.
  const auto take = [&](ValueId from, ValueId user) -> std::optional<Taken> {
    std::vector<ValueId> hops;
    for (; (*this)[from].kind == TracedValue::Kind::Copy; from = (*this)[from].from[0]) { hops.push_back(from); }
    if ((*this)[from].kind != TracedValue::Kind::Operation) {
      trace.operands.push_back(operandOf((*this)[from], hops, (*this)[user]));
      return Taken{Taken::From::Operand, static_cast<std::uint32_t>(trace.operands.size() - 1)};
    }
    if (finished[from] != kNone) { return Taken{Taken::From::Operation, finished[from]}; }
    open.push_back({from, {(*this)[from].id, (*this)[from].type, (*this)[from].bits, {}}, 0});
    return std::nullopt;
  };
  if (const auto whole = take(written.from[0], cell)) {
    trace.result = *whole;
    return trace;
  }
  while (!open.empty()) {
    const std::size_t top = open.size() - 1;
    const ValueId node = open[top].node;
    if (open[top].next == open[top].operation.taken.size()) {
      finished[node] = static_cast<std::uint32_t>(trace.operations.size());
      trace.operations.push_back(open[top].operation);
      open.pop_back();
      continue;
    }
    const std::size_t next = open[top].next;
    const ValueId from = (*this)[node].from[next];
    // Of what has to be opened first, nothing is known yet: it is asked for again when it is finished.
    const std::optional<Taken> taken = from == kNone ? Taken{} : take(from, node);
    if (!taken) { continue; }
    open[top].operation.taken[next] = *taken;
    ++open[top].next;
  }
  trace.result = {Taken::From::Operation, static_cast<std::uint32_t>(trace.operations.size() - 1)};
  return trace;
}

Operand TracedValues::operandOf(const TracedValue& node, const std::vector<ValueId>& hops,
                                const TracedValue& user) const {
  Operand operand;
  operand.kind = kindOf(node);
  if (node.place == Hop::Place::Variable) {
    operand.variable = node.id;
  } else {
    operand.object = node.id;
    operand.element = node.index;
  }
  operand.given = node.given;
  operand.type = node.type;
  operand.bits = node.bits;
  operand.loadedBy = node.thread;
  operand.loadedAt = node.step;
  operand.loadedIn = node.statement;
  if (node.kind == TracedValue::Kind::Computed) {
    operand.computedBy = (*this)[node.from[0]].thread;
    operand.computedAt = (*this)[node.from[0]].step;
  }
  for (auto at = hops.rbegin(); at != hops.rend(); ++at) {
    const TracedValue& hop = (*this)[*at];
    operand.hops.push_back({hop.place, hop.id, hop.index, hop.thread, hop.step, hop.statement});
  }
  operand.usedBy = user.thread;
  operand.usedAt = user.step;
  operand.usedIn = user.statement;
  return operand;
}

}  // namespace haloscope::provenance
