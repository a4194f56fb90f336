#include "figures/CodeReport.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "driver/Compiler.h"
#include "driver/Device.h"
#include "experiment/Experiment.h"
#include "figures/ProblemText.h"
#include "language/Text.h"
#include "measuring/GpuSpecs.h"
#include "measuring/GpuText.h"
#include "measuring/TuningMap.h"

namespace haloscope::figures {

namespace {

constexpr int kAnyDriver = 13000;  // code compiled here is never loaded, so any driver will do

CodeReport planned(const KernelFile& file, const Bindings& bindings) {
  CodeReport report;
  report.id = file.id;
  report.title = file.title;
  report.bindings = bindings;
  return report;
}

/// The bindings that differ from the kernel's defaults.
Bindings saidOf(const KernelFile& file, const Bindings& bindings) {
  const Bindings defaults = file.defaults();
  Bindings said;
  for (const auto& [name, value] : bindings) {
    const auto own = defaults.find(name);
    if (own == defaults.end() || own->second != value) { said.emplace(name, value); }
  }
  return said;
}

/// The variant's defaults, overridden by those of `bindings` that it accepts.
Bindings carried(const Bindings& said, const KernelFile& variant) {
  try {
    return variant.bind(experiment::carryOver(said, variant));
  } catch (const InputError&) { return variant.defaults(); }
}

/// The assembler's report of the kernel.
void askCompiler(const gpu::Compiler& compiler, const KernelFile& file, CodeReport& report, const CodeTarget& target) {
  // NVRTC compiles only what Clang could parse, since Clang's error messages are better.
  const Program program = experiment::compile(file, report.bindings);
  const gpu::KernelText text = measuring::gpuText(file, report.bindings);
  const std::string name = text.kernel.empty() ? program.kernel : text.kernel;
  const gpu::CompiledText code = compiler.compile(text, {name}, target.capability);
  const auto symbol = code.symbols.find(name);
  const auto found = code.resources.find(symbol == code.symbols.end() ? name : symbol->second);
  if (found == code.resources.end()) {
    report.problem = trf("NVRTC {} reports nothing about the code for {}.", compiler.versionText(), target.name);
    return;
  }
  report.registers = found->second.registers;
  report.spillBytes = found->second.spillBytes;
  report.stackBytes = found->second.stackBytes;
  report.sharedBytes += found->second.sharedBytes;
}

}  // namespace

CodeTarget targetOfArchitecture(const std::string& text) {
  std::string digits;
  std::ranges::copy_if(text.starts_with("sm_") ? text.substr(3) : text, std::back_inserter(digits),
                       [](char c) { return c != '.'; });
  int capability = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), capability);
  const bool number = error == std::errc() && end == digits.data() + digits.size() && capability >= 10;
  CodeTarget target{capability, fmt::format("sm_{}", capability), 0};
  if (!number || !gpu::limitsOf(computeCapability(target))) {
    throw InputError(trf("--arch {}: write an architecture such as sm_75, sm_86 or sm_90", text));
  }
  return target;
}

CodeTarget codeTarget(const measuring::GpuSpec& gpu) {
  CodeTarget target;
  try {
    target = targetOfArchitecture(gpu.computeCapability);
  } catch (const InputError&) { target.capability = 0; }  // the figure says that it is not known
  target.name = gpu.name;
  target.multiprocessors = gpu.multiprocessors;
  return target;
}

std::string computeCapability(const CodeTarget& target) {
  return fmt::format("{}.{}", target.capability / 10, target.capability % 10);
}

CodeReporter::CodeReporter() {
  try {
    compiler_ = std::make_shared<const gpu::Compiler>(kAnyDriver, gpu::Compiler::sharedCache());
  } catch (const gpu::Unavailable& unavailable) { missing_ = std::string(unavailable.what()) + "."; }
}

std::string CodeReporter::version() const { return compiler_ ? compiler_->versionText() : std::string(); }

void CodeReporter::report(const KernelFile& file, CodeReport& report, const CodeTarget& target) const {
  report.done = true;
  const auto limits = gpu::limitsOf(computeCapability(target));
  if (compiler_ == nullptr || !limits) {
    report.problem = compiler_ == nullptr ? missing_ : trf("The limits of {} are not known.", target.name);
    return;
  }
  try {
    report.bindings = file.bind(report.bindings);
    const LaunchConfiguration configuration = file.configuration(report.bindings);
    report.points = static_cast<std::int64_t>(file.taps(report.bindings).size());
    report.threads = configuration.threadsPerBlock();
    report.sharedBytes = configuration.dynamicSharedBytes;
    askCompiler(*compiler_, file, report, target);
    if (!report.problem.empty()) { return; }
  } catch (const UserError& error) {
    report.problem = problemText(file, error);
    return;
  } catch (const std::runtime_error& error) {  // this NVRTC no longer supports the architecture
    report.problem = std::string(error.what()) + ".";
    return;
  }
  report.occupancy = gpu::occupancyOf(*limits, static_cast<int>(report.threads), report.registers, report.sharedBytes);
  if (report.occupancy.residentBlocks == 0) {
    report.problem = trf("A multiprocessor of {} cannot hold one block (limited by {}).", target.name,
                         tr(report.occupancy.limitedBy));
  }
}

std::vector<CodeReport> planSizes(const KernelFile& file, const Bindings& bindings) {
  const std::vector<std::string> axes = measuring::tuningAxes(file);
  if (axes.empty()) { return {planned(file, bindings)}; }
  std::vector<CodeReport> reports;
  for (const std::int64_t value : measuring::triedValues(*file.findTunable(axes.front()), bindings.at(axes.front()))) {
    reports.push_back(planned(file, bindings));
    reports.back().bindings[axes.front()] = value;
  }
  return reports;
}

std::vector<CodeReport> planVariants(const Catalogue& catalogue, const KernelFile& file, const Bindings& bindings) {
  const Bindings said = saidOf(file, bindings);
  std::vector<CodeReport> reports;
  for (const KernelFile* one : catalogue.chapter(file.chapter)) {
    const bool own = one->id == file.id;
    reports.push_back(planned(*one, own ? bindings : carried(said, *one)));
    reports.back().points = static_cast<std::int64_t>(one->taps(reports.back().bindings).size());
  }
  if (reports.empty()) { reports.push_back(planned(file, bindings)); }
  std::ranges::stable_sort(reports, {}, &CodeReport::points);
  return reports;
}

std::vector<CodeReport> planVariantSizes(const Catalogue& catalogue, const KernelFile& file, const Bindings& bindings) {
  const Bindings said = saidOf(file, bindings);
  std::vector<CodeReport> reports;
  for (const CodeReport& variant : planVariants(catalogue, file, bindings)) {
    const KernelFile* known = catalogue.find(variant.id);
    const KernelFile& one = known == nullptr || variant.id == file.id ? file : *known;
    const std::vector<std::string> axes = measuring::tuningAxes(one);
    const bool fixed = !axes.empty() && said.contains(axes.front());
    for (CodeReport& size : fixed ? std::vector{variant} : planSizes(one, variant.bindings)) {
      size.points = variant.points;
      reports.push_back(std::move(size));
    }
  }
  return reports;
}

}  // namespace haloscope::figures
