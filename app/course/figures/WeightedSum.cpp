#include "figures/WeightedSum.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>

#include "experiment/InputData.h"
#include "experiment/Reference.h"
#include "program/RealBits.h"
#include "recording/BlockView.h"

namespace haloscope::figures {
namespace {

using provenance::Operand;
using provenance::Operation;
using provenance::Taken;
using From = Taken::From;

/// Longer weight names are omitted; the value remains.
constexpr std::size_t kLongestName = 40;

/// The text of a factor or of a sum of products.
struct Text {
  std::string words;  ///< without its sign
  bool negative = false;
  bool sum = false;   ///< needs brackets as a factor
  bool known = true;  ///< false: too long

  [[nodiscard]] bool one() const { return known && words.empty(); }
};

Text shortened(Text text) {
  if (text.words.size() > kLongestName) { text = {{}, text.negative, false, false}; }
  return text;
}

std::string factor(const Text& text) { return text.sum ? "(" + text.words + ")" : text.words; }

Text product(const Text& a, const Text& b) {
  if (!a.known || !b.known) { return {{}, false, false, false}; }
  const bool negative = a.negative != b.negative;
  if (a.one() || b.one()) {
    const Text& left = a.one() ? b : a;
    return {left.words, negative, left.sum, true};
  }
  return shortened({factor(a) + " · " + factor(b), negative, false, true});
}

Text quotient(const Text& a, const Text& b) {
  if (!a.known || !b.known) { return {{}, false, false, false}; }
  return shortened({(a.one() ? "1" : factor(a)) + " / " + factor(b), a.negative != b.negative, false, true});
}

Text sum(const Text& a, const Text& b) {
  if (!a.known || !b.known) { return {{}, false, false, false}; }
  const std::string left = a.one() ? "1" : a.words;
  const std::string right = b.one() ? "1" : b.words;
  return shortened(
      {fmt::format("{}{} {} {}", a.negative ? "-" : "", left, b.negative ? "-" : "+", right), false, true, true});
}

struct Weight {
  double value = 1;
  Text text;
  bool updated = false;
  double element = 0;  ///< the value that is multiplied
};

using Key = std::pair<ObjectId, std::int64_t>;

/// The symbolic value of a register.
struct Form {
  std::map<Key, Weight> elements;
  bool around = false;  ///< contains elements of the centre array
  bool linear = true;
  double value = 0;
  Text text;  ///< of the whole value, if it contains no such elements
};

class Reducer {
 public:
  Reducer(const Program& program, const std::vector<ArrayData>& before, const provenance::OutputTrace& trace,
          const std::vector<ObjectId>& points)
      : program_(program), before_(before), trace_(trace), points_(points) {}

  Form reduce() {
    std::vector<std::uint32_t> uses(trace_.operations.size(), 0);
    const auto use = [&](const Taken& taken) {
      if (taken.from == From::Operation) { ++uses[taken.index]; }
    };
    use(trace_.result);
    for (const Operation& operation : trace_.operations) { std::ranges::for_each(operation.taken, use); }
    forms_.resize(trace_.operations.size());
    uses_ = std::move(uses);
    for (std::size_t i = 0; i < trace_.operations.size(); ++i) { forms_[i] = formOf(trace_.operations[i]); }
    return take(trace_.result);
  }

 private:
  Form take(const Taken& taken) {
    if (taken.from == From::Operand) { return formOf(trace_.operands[taken.index]); }
    if (taken.from == From::Nothing) { return {}; }
    return --uses_[taken.index] == 0 ? std::move(forms_[taken.index]) : forms_[taken.index];
  }

  [[nodiscard]] Form formOf(const Operand& operand) const {
    Form form;
    form.value = numberOf(operand.type, operand.bits);
    const bool element = operand.kind == Operand::Kind::Element || operand.kind == Operand::Kind::Computed;
    const bool constant = operand.kind == Operand::Kind::Constant;
    if (element || constant) {
      form.text.words = recording::formatElement(program_.objects[operand.object].name,
                                                 shapeOf(program_, before_, operand.object), operand.element);
    } else {
      form.text = numberText(form.value);
    }
    if (element && std::ranges::find(points_, operand.object) != points_.end()) {
      Weight weight;
      weight.updated = operand.kind == Operand::Kind::Computed;
      weight.element = form.value;
      form.elements[{operand.object, operand.element}] = weight;
      form.around = operand.object == points_.front();
    }
    return form;
  }

  [[nodiscard]] static Text numberText(double value) {
    if (std::abs(value) == 1) { return {{}, value < 0, false, true}; }
    return {fmt::format("{:.6g}", std::abs(value)), std::signbit(value), false, true};
  }

  Form formOf(const Operation& operation) {
    const Opcode op = program_.code[operation.instruction].op;
    Form form;
    switch (op) {
      case Opcode::Add:
      case Opcode::AtomicAdd:
        form = added(take(operation.taken[0]), take(operation.taken[1]), 1);
        break;
      case Opcode::Sub:
        form = added(take(operation.taken[0]), take(operation.taken[1]), -1);
        break;
      case Opcode::Mul:
        form = multiplied(take(operation.taken[0]), take(operation.taken[1]));
        break;
      case Opcode::Fma: {
        Form both = multiplied(take(operation.taken[0]), take(operation.taken[1]));
        form = added(std::move(both), take(operation.taken[2]), 1);
        break;
      }
      case Opcode::Div:
        form = divided(take(operation.taken[0]), take(operation.taken[1]));
        break;
      case Opcode::Negate:
        form = scaled(take(operation.taken[0]), -1, {{}, true, false, true});
        form.text.negative = !form.text.negative;
        break;
      case Opcode::Convert:
        form = take(operation.taken[0]);
        break;
      default:
        form = mixed(operation);
        break;
    }
    form.value = numberOf(operation.type, operation.bits);
    // Arithmetic on plain numbers gives a plain number.
    if (form.elements.empty() && !form.text.known) { form.text = numberText(form.value); }
    return form;
  }

  static Form scaled(Form form, double value, const Text& text) {
    for (auto& [key, weight] : form.elements) {
      weight.value *= value;
      weight.text = product(text, weight.text);
    }
    return form;
  }

  static Form added(Form a, Form b, int sign) {
    if (sign < 0) {
      b = scaled(std::move(b), -1, {{}, true, false, true});
      b.text.negative = !b.text.negative;
    }
    const bool nothing = a.elements.empty() && a.value == 0;  // initial value of an accumulator
    a.text = nothing ? b.text : b.elements.empty() && b.value == 0 ? a.text : sum(a.text, b.text);
    if (a.elements.size() < b.elements.size()) { std::swap(a.elements, b.elements); }
    for (auto& [key, weight] : b.elements) {
      const auto [at, isNew] = a.elements.try_emplace(key, weight);
      if (isNew) { continue; }
      at->second.value += weight.value;
      at->second.text = sum(at->second.text, weight.text);
      at->second.updated = at->second.updated || weight.updated;
    }
    a.around = a.around || b.around;
    a.linear = a.linear && b.linear;
    return a;
  }

  /// The elements of a value that only scales another one are coefficients.
  static void collapse(Form& form) {
    form.elements.clear();
    form.linear = true;
  }

  static Form multiplied(Form a, Form b) {
    if (a.around && b.around) { return joined(std::move(a), std::move(b)); }
    const bool scalesA = a.around || (!b.around && !a.elements.empty());
    Form& sum = scalesA ? a : b;
    Form& scale = scalesA ? b : a;
    collapse(scale);
    Text text = product(scale.text, sum.text);
    Form form = scaled(std::move(sum), scale.value, scale.text);
    form.text = std::move(text);
    return form;
  }

  static Form divided(Form a, Form b) {
    if (b.around) { return joined(std::move(a), std::move(b)); }
    collapse(b);
    for (auto& [key, weight] : a.elements) {
      weight.value /= b.value;
      weight.text = quotient(weight.text, b.text.one() ? Text{"1", b.text.negative, false, true} : b.text);
    }
    a.text = quotient(a.text, b.text.one() ? Text{"1", b.text.negative, false, true} : b.text);
    a.linear = a.linear && b.linear;
    return a;
  }

  /// The elements of both, without meaningful weights.
  static Form joined(Form a, Form b) {
    a = added(std::move(a), std::move(b), 1);
    a.linear = false;
    return a;
  }

  Form mixed(const Operation& operation) {
    Form form;
    for (const Taken& taken : operation.taken) { form = added(std::move(form), take(taken), 1); }
    form.linear = form.linear && form.elements.empty();
    form.text = {{}, false, false, false};
    return form;
  }

  const Program& program_;
  const std::vector<ArrayData>& before_;
  const provenance::OutputTrace& trace_;
  const std::vector<ObjectId>& points_;
  std::vector<Form> forms_;
  std::vector<std::uint32_t> uses_;  ///< remaining uses of each operation's result
};

}  // namespace

const std::vector<std::int64_t>& shapeOf(const Program& program, const std::vector<ArrayData>& before,
                                         ObjectId object) {
  const std::vector<std::int64_t>& brought = before[object].extents;
  return brought.empty() ? program.objects[object].extents : brought;
}

WeightedSum weightedSum(const Program& program, const std::vector<ArrayData>& before,
                        const provenance::OutputTrace& trace, const std::vector<ObjectId>& points) {
  Form form = Reducer(program, before, trace, points).reduce();
  WeightedSum sum;
  sum.linear = form.linear;
  sum.rest = form.value;
  double magnitude = 0;
  for (const auto& [key, weight] : form.elements) {
    const Text& text = weight.text;
    sum.rest -= weight.value * weight.element;
    magnitude += std::abs(weight.value * weight.element);
    std::string name = !text.known || text.one() ? std::string() : (text.negative ? "-" + factor(text) : text.words);
    sum.elements.push_back({key.first, key.second, weight.value, std::move(name), weight.updated});
  }
  sum.tolerance = experiment::toleranceOf(sum.elements.size(), program.objects[trace.object].element) * magnitude;
  return sum;
}

}  // namespace haloscope::figures
