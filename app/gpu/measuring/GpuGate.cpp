#include "measuring/GpuGate.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "checking/ShippedVariants.h"
#include "experiment/FaultlessRun.h"
#include "language/Language.h"
#include "language/Text.h"
#include "program/Sha256.h"

namespace haloscope::measuring {

namespace {

/// Whether a second run may give other results, or harm others.
bool isFault(const faults::Finding& finding) { return faults::rowOf(finding.kind).severity == faults::Severity::Fault; }

/// All that a verdict and its words depend on. The header is a part of the text; the launch of an opened file is not.
std::string verdictKey(const KernelFile& file, const Bindings& bindings, const inputs::ChosenData& data) {
  std::string key;
  const auto add = [&key](const std::string& part) { key += fmt::format("{}:{}", part.size(), part); };
  const auto addHash = [&add](const void* bytes, std::size_t count) {
    Sha256 hash;
    hash.add({static_cast<const char*>(bytes), count});
    add(hash.digits());
  };
  const auto addExpression = [&add](const Expression& expression) { add(expression.text()); };
  add(languageCode(language()));
  add(file.chapter);
  add(file.text);
  add(file.kernel);
  add(file.prologue);
  for (const auto& [name, text] : file.headers) {
    add(name);
    add(text);
  }
  for (const auto& [name, text] : file.macros) {
    add(name);
    add(text);
  }
  for (const std::string& instance : file.instances) { add(instance); }
  std::ranges::for_each(file.grid, addExpression);
  std::ranges::for_each(file.block, addExpression);
  add(text(file.cluster));
  if (file.dynamicSharedBytes) { addExpression(*file.dynamicSharedBytes); }
  for (const auto& [name, value] : file.arguments) {
    add(name);
    addExpression(value);
  }
  for (const ArrayDeclaration& array : file.arrays) {
    add(array.name);
    std::ranges::for_each(array.shape, addExpression);
    if (array.values) { addExpression(*array.values); }
  }
  for (const auto& [name, value] : bindings) { add(fmt::format("{}={}", name, value)); }
  // An index may be read from an array.
  for (const auto& [name, choice] : data) {
    if (choice.numbers == nullptr) { continue; }
    addHash(choice.numbers->values.data(), choice.numbers->values.size() * sizeof(double));
  }
  std::ranges::for_each(inputs::texts(data), add);
  if (file.data == nullptr) { return key; }
  for (const auto& [name, bytes] : file.data->arrays) {
    add(name);
    addHash(bytes.data(), bytes.size());
  }
  for (const auto& [name, words] : file.data->undefined) {
    add(name);
    std::string bits;
    for (const bool word : *words) { bits += word ? '1' : '0'; }
    addHash(bits.data(), bits.size());
  }
  return key;
}

GpuVerdict refusal(std::string objection, const SourceRange& where = {}) {
  if (objection.ends_with('.')) { objection.pop_back(); }
  return {std::nullopt, std::move(objection), where};
}

}  // namespace

GpuGate::Answer GpuGate::answerOnShipped(const KernelFile& file, const Bindings& bindings,
                                         const checking::CheckOptions& options) {
  try {
    experiment::expectFaultless(file, bindings, experiment::compile(file, bindings), options.workers);
  } catch (const experiment::FaultError& fault) { return {refusal(fault.message(), fault.where()), {}}; }
  return {{gpu::Clearance{}, {}, {}}, {}};
}

GpuGate::Answer GpuGate::answerOnOther(const KernelFile& file, const Bindings& bindings,
                                       const checking::CheckOptions& options) {
  try {
    if (synchronisesGrid(experiment::compile(file, bindings))) {
      return {refusal(tr("grid.sync() needs a cooperative launch, and kernels are not launched so here")), {}};
    }
  } catch (const InputError&) {  // the check tells
  }
  checking::CheckReport report;
  try {
    report = checking::check(file, bindings, options);
  } catch (const InputError& refused) { return {{}, refused.what()}; }
  if (!report.atChosenSizes) { return {{}, trf("{} Choose a smaller size.", report.notes.back())}; }
  const auto fault = std::ranges::find_if(report.findings, isFault);
  if (fault != report.findings.end()) { return {refusal(fault->message, fault->where), {}}; }
  return {{gpu::Clearance{}, {}, {}}, {}};
}

std::optional<GpuGate::Answer> GpuGate::remembered(const std::string& key) {
  const std::scoped_lock lock(mutex_);
  const auto found = answers_.find(key);
  return found == answers_.end() ? std::nullopt : std::optional(found->second);
}

void GpuGate::remember(const std::string& key, const Answer& answer) {
  constexpr std::size_t kMost = 512;
  const std::scoped_lock lock(mutex_);
  if (answers_.size() >= kMost) { answers_.clear(); }
  answers_.insert_or_assign(key, answer);
}

GpuVerdict GpuGate::ask(const KernelFile& file, const Bindings& bindings, const checking::CheckOptions& options) {
  const Bindings bound = file.bind(bindings);
  const std::string key = verdictKey(file, bound, options.data);
  std::optional<Answer> answer = remembered(key);
  if (!answer) {
    answer =
        checking::isShippedVariant(file) ? answerOnShipped(file, bound, options) : answerOnOther(file, bound, options);
    remember(key, *answer);
  }
  if (!answer->tooLarge.empty()) { throw InputError(answer->tooLarge); }
  return answer->verdict;
}

GpuVerdict GpuGate::ask(const Program& program, Launch& launch, faults::FaultOptions options) {
  const checking::CheckLimits limits;
  std::int64_t bytes = 0;
  for (const ArrayData& array : launch.arrays) { bytes += static_cast<std::int64_t>(array.bytes.size()); }
  if (bytes > limits.arrayBytes) {
    throw InputError(
        trf("too large to be checked: its arrays have {} MiB, more than {}", bytes >> 20, limits.arrayBytes >> 20));
  }
  if (options.execute.launchBudget == 0) { options.execute.launchBudget = limits.warpInstructions; }
  const faults::FaultReport report = faults::findFaults(program, launch, options);
  const auto fault = std::ranges::find_if(report.findings, isFault);
  if (fault != report.findings.end()) { return refusal(fault->message, fault->where); }
  switch (report.result.outcome) {
    case simt::Outcome::Finished:
      return {gpu::Clearance{}, {}, {}};
    case simt::Outcome::TooLong:
      throw InputError(trf("too large to be checked: {}", report.result.message));
    case simt::Outcome::Stopped:
      throw experiment::Cancelled{};
    default:
      return refusal(report.result.message, report.result.where);
  }
}

gpu::Clearance GpuGate::require(const KernelFile& file, const Bindings& bindings,
                                const checking::CheckOptions& options) {
  GpuVerdict verdict = ask(file, bindings, options);
  if (!verdict.clearance) { throw experiment::FaultError(file.path.string(), verdict.where, verdict.objection); }
  return *verdict.clearance;
}

AskGpuGate asking(GpuGate& gate) {
  return [&gate](const KernelFile& file, const Bindings& bindings, const checking::CheckOptions& options) {
    return gate.ask(file, bindings, options);
  };
}

AskGpuGate askingOwnGate() {
  return [gate = std::make_shared<GpuGate>()](const KernelFile& file, const Bindings& bindings,
                                              const checking::CheckOptions& options) {
    return gate->ask(file, bindings, options);
  };
}

}  // namespace haloscope::measuring
