#include "checking/Diagnosis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "checking/Evidence.h"
#include "checking/MacroHazard.h"
#include "checking/Mistakes.h"
#include "checking/Repairs.h"
#include "experiment/Experiment.h"
#include "experiment/InputData.h"
#include "experiment/Reference.h"
#include "language/Text.h"

namespace haloscope::checking {
namespace {

using faults::Finding;

/// By how much a short sum in float is off, by its size: one rounding, at most all of its terms.
constexpr double kLeastFloatError = 1e-9, kMostFloatError = 1e-5;
/// A factor that four digits do not tell from 1.
constexpr double kNearlyOne = 5e-4;

/// One kernel with a wrong result, and what can be asked about it.
class Case {
 public:
  Case(const KernelFile& file, const Bindings& bindings, const Program& program, const Launch& before,
       const Launch& after, const std::stop_token& stop)
      : file_(file),
        bindings_(bindings),
        program_(program),
        before_(before),
        stop_(stop),
        evidence_(file, bindings, program, before, after) {}

  [[nodiscard]] const Evidence& evidence() const { return evidence_; }

  /// A macro without parentheses, if the result is right with them.
  [[nodiscard]] std::optional<Finding> macro() const {
    const auto macro = findMacroHazard(file_.text);
    if (!macro || !rightWithParentheses(*macro)) { return std::nullopt; }
    Finding finding = evidence_.finding(
        trf("the macro {} expands to {} without parentheses, so the product on line {} takes only part of it",
            macro->name, macro->replacement, macro->used.line));
    finding.where = macro->where;
    finding.other = macro->used;
    return finding;
  }

  /// The hypothesis that explains the wrong points.
  [[nodiscard]] std::optional<Finding> mistake() const {
    if (evidence_.wrong().empty() || !evidence_.oneStep()) { return std::nullopt; }
    std::optional<Finding> second;
    const auto inHalo = [this](const Evidence& of) { return haloMistakes(of, before_.configuration.block); };
    const std::array<std::function<std::vector<Hypothesis>(const Evidence&)>, 6> all{
        borderMistakes, inHalo, filterMistakes, tapMistakes, sumMistakes, addressMistakes};
    for (const auto& mistakes : all) {
      for (const Hypothesis& hypothesis : mistakes(evidence_)) {
        if (!evidence_.explainedBy(hypothesis.predict)) { continue; }
        const bool clear = evidence_.sparesNothing(hypothesis.predict);
        if (!clear && second) { continue; }
        Finding finding = evidence_.finding(hypothesis.message, hypothesis.weight);
        if (clear) { return finding; }
        second = std::move(finding);
      }
    }
    if (second) { return second; }
    if (const auto surplus = evidence_.commonSurplus()) {
      return evidence_.finding(trf("every wrong point is too large by {:.4g}: the sum does not start at 0", *surplus));
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<Finding> repair() const {
    const std::optional<Repair> repair = findRepair(file_, bindings_, program_, before_, stop_);
    if (!repair) { return std::nullopt; }
    const std::size_t wrong = evidence_.wrong().size() + evidence_.unwritten().size();
    Finding finding = evidence_.finding(
        trn("{} point of {} is wrong", "{} points of {} are wrong", wrong, wrong, evidence_.computes().output));
    finding.remedy = repair->message;
    finding.fix = repair->fix;
    finding.where = repair->where;
    return finding;
  }

  [[nodiscard]] std::optional<Finding> factor() const {
    const auto factor = evidence_.commonFactor();
    if (!factor) { return std::nullopt; }
    if (*factor == 0) { return evidence_.finding(tr("every wrong point holds 0")); }
    const bool nearlyOne = std::abs(*factor - 1) < kNearlyOne;
    return evidence_.finding(nearlyOne ? trf("every wrong point is {:.12g} times what it should be", *factor)
                                       : trf("every wrong point is {:.4g} times what it should be", *factor));
  }

  /// Whether the result is in double, part of it is computed in float, and it is as little off as that.
  [[nodiscard]] bool isRoundedToFloat() const {
    const ObjectId output = program_.findObject(evidence_.computes().output);
    const auto isFloat = [](const Instruction& one) {
      return one.type == ValueType::F32 && one.op != Opcode::Load && one.op != Opcode::Store;
    };
    if (program_.objects[output].element != ValueType::F64 || std::ranges::none_of(program_.code, isFloat)) {
      return false;
    }
    const double largest = largestError();
    return largest >= kLeastFloatError && largest <= kMostFloatError;
  }

  [[nodiscard]] std::optional<Finding> imprecise() const {
    if (!isRoundedToFloat()) { return std::nullopt; }
    return evidence_.finding(
        trf("{} is nearly right: it differs from the result in double precision by up to {:.1g} of the sum's size, and "
            "part of it is computed in float",
            evidence_.computes().output, largestError()));
  }

  [[nodiscard]] Finding unexplained() const {
    const std::int64_t first = evidence_.wrong().front();
    const bool own = experiment::holdsLaunchData(file_, program_, before_);
    std::string message =
        trn("{} point of {} is wrong; the first is {}: computed {:.6g}, expected {:.6g}{}",
            "{} points of {} are wrong; the first is {}: computed {:.6g}, expected {:.6g}{}", evidence_.wrong().size(),
            evidence_.wrong().size(), evidence_.computes().output, evidence_.name(first), evidence_.computed(first),
            evidence_.expected(first).value, own ? "" : tr(" (of random input)"));
    if (const auto plane = evidence_.commonPlane()) {
      const char* axis = plane->first == 2                      ? tr("last")
                         : plane->first == 3 - evidence_.rank() ? tr("first")
                                                                : tr("middle");
      message += trf("; all of them have {} as their {} index", plane->second, axis);
    } else if (evidence_.onlyAtBorder()) {
      message += evidence_.computes().border == Computes::Border::Keeps
                     ? tr("; all of them lie on the border, which should keep its value")
                     : tr("; all of them lie at the border, where ghost cells should count as zero");
    }
    return evidence_.finding(message);
  }

 private:
  /// By the sum's size.
  [[nodiscard]] double largestError() const {
    double largest = 0;
    for (const std::int64_t element : evidence_.wrong()) {
      const auto [value, magnitude] = evidence_.expected(element);
      if (magnitude <= 0) { return std::numeric_limits<double>::infinity(); }
      largest = std::max(largest, std::abs(evidence_.computed(element) - value) / magnitude);
    }
    return largest;
  }

  [[nodiscard]] bool rightWithParentheses(const MacroHazard& macro) const {
    KernelFile changed = file_;
    std::istringstream lines(file_.text);
    changed.text.clear();
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
      if (++number == macro.where.line) { line = fmt::format("#define {} ({})", macro.name, macro.replacement); }
      changed.text += line + '\n';
    }
    try {
      return computesTheReference(changed, bindings_, experiment::compile(changed, bindings_), before_, stop_);
    } catch (const UserError&) { return false; }
  }

  const KernelFile& file_;
  const Bindings& bindings_;
  const Program& program_;
  const Launch& before_;
  std::stop_token stop_;
  Evidence evidence_;
};

bool isRight(const KernelFile& file, const Bindings& bindings, const Program& program, const Launch& before,
             const Launch& after) {
  return experiment::compareWithReference(file, bindings, program, before.arrays, after.arrays).pass();
}

}  // namespace

Diagnosis diagnose(const KernelFile& file, const Bindings& bindings, const Program& program, const Launch& before,
                   const Launch& after, bool onlyNamed, const std::stop_token& stop) {
  if (!file.computes || isRight(file, bindings, program, before, after)) { return {}; }
  const Case found(file, bindings, program, before, after, stop);
  const Evidence& evidence = found.evidence();
  if (evidence.wrong().empty() && evidence.unwritten().empty()) { return {}; }
  Diagnosis diagnosis{.onlyAtBorder = !evidence.wrong().empty() && evidence.onlyAtBorder(),
                      .roundedToFloat = !evidence.wrong().empty() && found.isRoundedToFloat()};
  const auto cause = [&]() -> std::optional<Finding> {
    if (auto macro = found.macro()) { return macro; }
    if (evidence.wrong().empty()) { return std::nullopt; }
    // At the border a guard is wrong more often than a sum, and a change of it says where.
    if (diagnosis.onlyAtBorder && evidence.commonPlane()) {
      if (auto repair = found.repair()) { return repair; }
    }
    if (auto mistake = found.mistake()) { return mistake; }
    if (onlyNamed) { return std::nullopt; }
    if (auto imprecise = found.imprecise()) { return imprecise; }
    if (auto factor = found.factor()) { return factor; }
    if (auto repair = found.repair()) { return repair; }
    return found.unexplained();
  };
  if (auto finding = cause()) { diagnosis.findings.push_back(std::move(*finding)); }
  return diagnosis;
}

void explain(Finding& symptom, const KernelFile& file, const Bindings& bindings, const Program& program,
             const Launch& before, const Launch& after, const std::stop_token& stop) {
  if (!file.computes) { return; }
  const Case found(file, bindings, program, before, after, stop);
  if (found.evidence().wentToTheInput()) {
    symptom.message += trf("; the kernel writes its result into the input array {} instead of {}", file.computes->input,
                           file.computes->output);
  } else if (auto repair = findRepair(file, bindings, program, before, stop)) {
    symptom.remedy = std::move(repair->message);
    symptom.fix = std::move(repair->fix);
  } else if (const auto mistake = found.mistake()) {
    symptom.message += "; " + mistake->message;
  }
}

}  // namespace haloscope::checking
