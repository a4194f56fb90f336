#include "provenance/TraceTerms.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "program/RealBits.h"

namespace haloscope::provenance {
namespace {

using From = Taken::From;

template <typename T, typename Bits>
T as(std::uint64_t bits) {
  return std::bit_cast<T>(static_cast<Bits>(bits));
}

std::uint64_t negated(ValueType type, std::uint64_t bits) {
  return bits ^ std::uint64_t{1} << (8 * sizeInMemory(type) - 1);
}

/// a + b, rounded once to the type: the sum of two halves or floats as doubles has digits enough for that.
std::uint64_t added(ValueType type, std::uint64_t a, std::uint64_t b) {
  return bitsOf(type, numberOf(type, a) + numberOf(type, b));
}

std::uint64_t multiplied(ValueType type, std::uint64_t a, std::uint64_t b) {
  return bitsOf(type, numberOf(type, a) * numberOf(type, b));
}

std::uint64_t fusedSum(ValueType type, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  if (type != ValueType::F32) {
    return bitsOf(type, std::fma(numberOf(type, a), numberOf(type, b), numberOf(type, c)));
  }
  return std::bit_cast<std::uint32_t>(
      std::fma(as<float, std::uint32_t>(a), as<float, std::uint32_t>(b), as<float, std::uint32_t>(c)));
}

class Splitter {
 public:
  Splitter(const Program& program, const OutputTrace& trace, ObjectId input)
      : program_(program), trace_(trace), input_(input) {
    sum_.type = program.objects[trace.object].element;
  }

  TermSum split() {
    Taken at = trace_.result;
    // The output may be stored in another precision than it is added up in.
    while (isOperation(at, Opcode::Convert) && isFloating(typeOf(operation(at).taken[0]))) {
      at = operation(at).taken[0];
    }
    sum_.type = typeOf(at);
    if (!isFloating(sum_.type)) {
      addTerm(at, false);
      return std::move(sum_);
    }
    walk(at);
    std::ranges::reverse(sum_.terms);
    const std::uint64_t output = outputOf(addedUp());
    sum_.exact = output == trace_.bits && !std::isnan(numberOf(program_.objects[trace_.object].element, output));
    return std::move(sum_);
  }

 private:
  [[nodiscard]] const Operation& operation(const Taken& taken) const { return trace_.operations[taken.index]; }
  [[nodiscard]] Opcode opcode(const Taken& taken) const {
    const Opcode op = program_.code[operation(taken).instruction].op;
    return op == Opcode::AtomicAdd ? Opcode::Add : op;
  }
  [[nodiscard]] bool isOperation(const Taken& taken, Opcode op) const {
    return taken.from == From::Operation && opcode(taken) == op;
  }
  [[nodiscard]] bool isSum(const Taken& taken) const {
    return isOperation(taken, Opcode::Add) || isOperation(taken, Opcode::Sub) || isOperation(taken, Opcode::Fma);
  }
  [[nodiscard]] ValueType typeOf(const Taken& taken) const {
    return taken.from == From::Operand ? trace_.operands[taken.index].type : operation(taken).type;
  }
  [[nodiscard]] std::uint64_t bitsAt(const Taken& taken) const {
    return taken.from == From::Operand ? trace_.operands[taken.index].bits : operation(taken).bits;
  }

  [[nodiscard]] bool isNumber(const Taken& taken) const {
    return taken.from == From::Operand && trace_.operands[taken.index].kind == Operand::Kind::Literal;
  }

  /// From the last addition back to the first summand.
  void walk(Taken at) {
    while (isSum(at)) {
      const Operation& sum = operation(at);
      if (isOperation(at, Opcode::Fma)) {
        addProduct(sum.taken[0], sum.taken[1], true);
        at = sum.taken[2];
        continue;
      }
      const bool subtracts = isOperation(at, Opcode::Sub);
      // Adding the sum so far on the right is the same as adding to it; it may be the number that a loop began with.
      const bool begins = isOperation(sum.taken[0], Opcode::Mul) && isNumber(sum.taken[1]);
      const bool right = !subtracts && !isSum(sum.taken[0]) && (isSum(sum.taken[1]) || begins);
      addTerm(sum.taken[right ? 0 : 1], subtracts);
      at = sum.taken[right ? 1 : 0];
    }
    addTerm(at, false);
  }

  void addTerm(const Taken& what, bool negative) {
    if (isOperation(what, Opcode::Mul)) {
      addProduct(operation(what).taken[0], operation(what).taken[1], false);
      sum_.terms.back().bits = bitsAt(what);
    } else {
      Term term;
      term.operands = operandsOf(what);
      if (what.from == From::Operand) { term.value = what.index; }
      term.bits = bitsAt(what);
      sum_.terms.push_back(std::move(term));
    }
    sum_.terms.back().negative = negative;
  }

  [[nodiscard]] bool isPoint(const Taken& taken) const {
    if (taken.from != From::Operand) { return true; }
    const Operand& operand = trace_.operands[taken.index];
    if (operand.kind == Operand::Kind::Constant) { return false; }
    // A literal that went through memory represents a point: the zero of a ghost cell.
    if (operand.kind == Operand::Kind::Literal) { return !operand.hops.empty(); }
    return operand.kind != Operand::Kind::Element || operand.object == input_;
  }

  void addProduct(const Taken& a, const Taken& b, bool fused) {
    Term term;
    term.fused = fused;
    term.operands = operandsOf(a);
    for (const std::uint32_t operand : operandsOf(b)) {
      if (std::ranges::find(term.operands, operand) == term.operands.end()) { term.operands.push_back(operand); }
    }
    const bool swapped = isPoint(a) && !isPoint(b);
    const Taken& first = swapped ? b : a;
    const Taken& second = swapped ? a : b;
    if (first.from == From::Operand) { term.coefficient = first.index; }
    if (first.from == From::Operand && second.from == From::Operand) { term.value = second.index; }
    if (fused) { term.bits = multiplied(sum_.type, bitsAt(a), bitsAt(b)); }
    sum_.terms.push_back(std::move(term));
  }

  /// All operands below, in the order in which they were taken.
  [[nodiscard]] std::vector<std::uint32_t> operandsOf(const Taken& what) const {
    std::vector<std::uint32_t> operands;
    std::vector<bool> seen(trace_.operations.size(), false);
    std::vector<Taken> open{what};
    while (!open.empty()) {
      const Taken taken = open.back();
      open.pop_back();
      if (taken.from == From::Operand) { operands.push_back(taken.index); }
      if (taken.from != From::Operation || seen[taken.index]) { continue; }
      seen[taken.index] = true;
      for (const Taken& below : operation(taken).taken) { open.push_back(below); }
    }
    std::ranges::sort(operands);
    return operands;
  }

  [[nodiscard]] std::uint64_t addedUp() const {
    std::uint64_t sum = 0;
    bool first = true;
    for (const Term& term : sum_.terms) {
      const std::uint64_t bits = term.negative ? negated(sum_.type, term.bits) : term.bits;
      if (first) {
        sum = bits;
      } else if (term.fused && term.value) {
        sum = fusedSum(sum_.type, trace_.operands[*term.coefficient].bits, trace_.operands[*term.value].bits, sum);
      } else {
        sum = added(sum_.type, sum, bits);
      }
      first = false;
    }
    return sum;
  }

  /// The sum as the output's type holds it.
  [[nodiscard]] std::uint64_t outputOf(std::uint64_t sum) const {
    const ValueType output = program_.objects[trace_.object].element;
    return output == sum_.type ? sum : bitsOf(output, numberOf(sum_.type, sum));
  }

  const Program& program_;
  const OutputTrace& trace_;
  ObjectId input_;
  TermSum sum_;
};

}  // namespace

TermSum termsOf(const Program& program, const OutputTrace& trace, ObjectId input) {
  return Splitter(program, trace, input).split();
}

}  // namespace haloscope::provenance
