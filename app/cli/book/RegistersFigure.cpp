#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "actions/ChosenGpu.h"
#include "book/Figure.h"
#include "book/FigureCommand.h"
#include "figures/CodeReport.h"
#include "language/Text.h"
#include "measuring/TuningMap.h"
#include "options/ExitCode.h"
#include "options/KernelArguments.h"
#include "program/Words.h"
#include "state/AppState.h"
#include "text/Print.h"
#include "work/Worker.h"

/// What the compiler gives a thread and a block.
namespace haloscope {
namespace {

using Json = nlohmann::ordered_json;
using figures::CodeReport;

Json toJson(const CodeReport& report) {
  const bool known = report.registers > 0;
  return {{"kernel", report.id},
          {"bindings", report.bindings},
          {"points", report.points > 0 ? Json(report.points) : Json(nullptr)},
          {"threads", report.threads},
          {"registers_per_thread", known ? Json(report.registers) : Json(nullptr)},
          {"shared_bytes_per_block", known ? Json(report.sharedBytes) : Json(nullptr)},
          {"spill_bytes_per_thread", known ? Json(report.spillBytes) : Json(nullptr)},
          {"stack_bytes_per_thread", known ? Json(report.stackBytes) : Json(nullptr)},
          {"resident_blocks", known ? Json(report.occupancy.residentBlocks) : Json(nullptr)},
          {"occupancy", known ? Json(report.occupancy.share) : Json(nullptr)},
          {"limited_by", known ? Json(report.occupancy.limitedBy) : Json(nullptr)},
          {"problem", report.problem.empty() ? Json(nullptr) : Json(report.problem)}};
}

/// "IN_TILE_DIM = 8": the tunables.
std::string knobsOf(const KernelFile* file, const CodeReport& report) {
  std::string text;
  if (file == nullptr) { return text; }
  for (const Tunable& tunable : file->tunables) {
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", tunable.name, report.bindings.at(tunable.name));
  }
  return text;
}

void printReports(const Catalogue& catalogue, const KernelFile* opened, const std::vector<CodeReport>& reports) {
  printText("{:<32}{:>7}{:>8}{:>6}{:>10}{:>8}{:>8}{:>11}  {:<14}{}\n", tr("kernel"), tr("points"), tr("threads"),
            tr("regs"), tr("shared B"), tr("spills"), tr("blocks"), tr("occupancy"), tr("limited by"), tr("tunables"));
  for (const CodeReport& report : reports) {
    const KernelFile* file = opened != nullptr && opened->id == report.id ? opened : catalogue.find(report.id);
    const std::string points = report.points > 0 ? std::to_string(report.points) : "-";
    if (report.registers == 0) {
      const std::string knobs = knobsOf(file, report);
      printText("{:<32}{:>7}  {}{}{}\n", report.id, points, knobs, knobs.empty() ? "" : ": ", report.problem);
      continue;
    }
    printText("{:<32}{:>7}{:>8}{:>6}{:>10}{:>8}{:>8}{:>10.0f}%  {:<14}{}\n", report.id, points, report.threads,
              report.registers, report.sharedBytes, report.spillBytes, report.occupancy.residentBlocks,
              100 * report.occupancy.share, tr(report.occupancy.limitedBy), knobsOf(file, report));
  }
}

/// Of the whole catalogue, each at its defaults.
std::vector<CodeReport> planAll(const Catalogue& catalogue) {
  std::vector<CodeReport> reports;
  for (const KernelFile& file : catalogue.kernels()) {
    CodeReport report;
    report.id = file.id;
    report.title = file.title;
    report.bindings = file.defaults();
    report.points = static_cast<std::int64_t>(file.taps(report.bindings).size());
    reports.push_back(std::move(report));
  }
  return reports;
}

/// The whole catalogue is taken as it is. Throws InputError.
void expectDefaults(const KernelOptions& kernel) {
  if (kernel.knobs.given() || !kernel.overrides().empty() || !kernel.kernel.empty()) {
    throw InputError(
        tr("--all takes every variant at its defaults: name one kernel to set its tunables or its launch"));
  }
}

bool names(const Expression& expression, const std::string& name) {
  const std::string& text = expression.text();
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !isWord(text[at - 1])) && (end == text.size() || !isWord(text[end]))) { return true; }
  }
  return false;
}

/// A size that neither the block nor its shared memory depends on changes no number. Throws InputError.
void expectNoSize(const KnobOptions& knobs, const ChosenKernel& chosen) {
  const std::string option = knobs.sizeOption(chosen.file);
  if (option.empty() || !chosen.overrides.empty()) { return; }  // a file's launch may follow from its sizes
  const bool felt = std::ranges::any_of(chosen.file.sizes, [&](const SizeParameter& size) {
    return std::ranges::any_of(chosen.file.block, [&](const Expression& extent) { return names(extent, size.name); }) ||
           (chosen.file.dynamicSharedBytes && names(*chosen.file.dynamicSharedBytes, size.name));
  });
  if (felt) { return; }
  throw InputError(
      trf("{}: registers and shared memory of {} do not depend on the size of the problem", option, chosen.file.id));
}

class RegistersCommand final : public FigureCommand {
 public:
  void addTo(CLI::App& command) override {
    command.add_option("ID", kernel_.id,
                       tr("Variant, listed with the others of its chapter, each at its own tile sizes; or a .cu file"));
    addKernel(command, kernel_.kernel);
    addOwn(command);
    command.add_flag("--all", all_, tr("Every variant of the catalogue"));
    addJson(command, kernel_.json);
  }
  void addOwn(CLI::App& command) override {
    command.add_flag("--sizes", sizes_, tr("Only this kernel, at each size of its tile or block"));
  }
  void print(const Catalogue& catalogue) const override {
    if (all_ == !kernel_.id.empty()) { throw InputError(tr("name one kernel, or --all of the catalogue")); }
    if (all_ && sizes_) { throw InputError(tr("--sizes needs one kernel: name it instead of --all")); }
    if (all_) { expectDefaults(kernel_.kernel); }
    const figures::CodeTarget target = gpu_.codeTarget();
    const figures::CodeReporter reporter;
    if (!reporter.missing().empty()) { throw MissingError(reporter.missing()); }
    std::optional<ChosenKernel> chosen;
    std::vector<CodeReport> reports;
    if (all_) {
      reports = planAll(catalogue);
    } else {
      chosen = chosenKernel(catalogue, kernel_.id, kernel_.kernel);
      expectNoSize(kernel_.kernel.knobs, *chosen);
      const Bindings bindings = chosen->file.bind(chosen->bindings);
      reports = sizes_ ? figures::planSizes(chosen->file, bindings)
                       : figures::planVariantSizes(catalogue, chosen->file, bindings);
    }
    const KernelFile* own = chosen ? &chosen->file : nullptr;
    for (CodeReport& report : reports) {
      const KernelFile* file = own != nullptr && own->id == report.id ? own : catalogue.find(report.id);
      reporter.report(*file, report, target);
    }
    if (kernel_.json) {
      Json kernels = Json::array();
      for (const CodeReport& report : reports) { kernels.push_back(toJson(report)); }
      const Json json = {{"gpu", target.name},
                         {"architecture", fmt::format("sm_{}", target.capability)},
                         {"compiler", "NVRTC " + reporter.version()},
                         {"kernels", std::move(kernels)}};
      printJson(json);
    } else {
      trPrint("NVRTC {} for sm_{}; blocks and occupancy of {}\n", reporter.version(), target.capability, target.name);
      printReports(catalogue, own, reports);
    }
  }
  void prepare(FigurePicture& of) const override { of.state.figures.registers.ofSizes = sizes_; }

 private:
  bool all_ = false;
  bool sizes_ = false;  ///< at each size of the tile, instead of the variants of the chapter
};

/// Has the reports of the registers' figure compiled, one after another.
class RegistersWork final : public FigureWork {
 public:
  explicit RegistersWork(work::Pool& pool);
  void update(AppState& state) override;
  [[nodiscard]] bool busy() const override { return task_.busy(); }

 private:
  void finish() override { task_.finish(); }
  struct Job {
    std::uint64_t list = 0;  ///< its number: reports of an older one are dropped
    std::size_t index = 0;
    std::shared_ptr<const KernelFile> file;
    CodeReport report;
    figures::CodeTarget target;
    bool operator==(const Job& other) const { return list == other.list && index == other.index; }
  };
  struct Done {
    Job job;
    std::string compiler, missing;
  };
  /// What a list of reports depends on.
  struct Asked {
    std::string kernel, text;
    Bindings bindings;
    bool ofSizes = false;
    figures::CodeTarget target;
    bool operator==(const Asked&) const = default;
  };

  void receive(AppState& state, Done done) const;
  void requestNext(const AppState& state);

  std::optional<figures::CodeReporter> reporter_;  ///< used by the task alone
  work::Worker<Job, Done> task_;
  std::optional<Asked> asked_;
  std::uint64_t number_ = 0;  ///< of the list
};

RegistersWork::RegistersWork(work::Pool& pool)
    : task_(pool, {work::Priority::Background, work::Cores::One}, [this](const Job& job, const std::stop_token&) {
        if (!reporter_) { reporter_.emplace(); }
        Done done{job, reporter_->version(), reporter_->missing()};
        reporter_->report(*job.file, done.job.report, job.target);
        return done;
      }) {}

void RegistersWork::receive(AppState& state, Done done) const {
  RegistersFigure& figure = state.figures.registers;
  figure.compiler = std::move(done.compiler);
  figure.missing = std::move(done.missing);
  if (done.job.list == number_) { figure.reports[done.job.index] = std::move(done.job.report); }
}

void RegistersWork::requestNext(const AppState& state) {
  const RegistersFigure& figure = state.figures.registers;
  const auto next = std::ranges::find(figure.reports, false, &figures::CodeReport::done);
  if (next == figure.reports.end()) { return; }
  const experiment::Experiment& experiment = *state.experiment;
  Job job{number_, static_cast<std::size_t>(next - figure.reports.begin()), nullptr, *next, figure.target};
  const bool own = next->id == experiment.file.id;
  const KernelFile* file = own ? &experiment.file : state.catalogue.find(next->id);
  job.file = std::make_shared<const KernelFile>(file == nullptr ? experiment.file : *file);
  task_.follow(job);
}

void RegistersWork::update(AppState& state) {
  if (auto done = task_.poll()) { receive(state, *std::move(done)); }
  const measuring::GpuSpec* gpu = chosenGpu(state);
  if (!state.figures.shows("registers") || state.experiment == nullptr || gpu == nullptr) { return; }
  const experiment::Experiment& experiment = *state.experiment;
  RegistersFigure& figure = state.figures.registers;
  const figures::CodeTarget target = figures::codeTarget(*gpu);
  Asked asked{experiment.file.id, experiment.file.text, experiment.bindings, figure.ofSizes, target};
  const bool another = asked_ != asked;
  if (another) {
    asked_ = std::move(asked);
    ++number_;
    figure.target = target;
    const std::vector<std::string> axes = measuring::tuningAxes(experiment.file);
    figure.axis = figure.ofSizes && !axes.empty() ? axes.front() : std::string();
    figure.reports = figure.ofSizes ? figures::planSizes(experiment.file, experiment.bindings)
                                    : figures::planVariants(state.catalogue, experiment.file, experiment.bindings);
  }
  if (another || !task_.busy()) { requestNext(state); }
}

}  // namespace

extern const Figure kRegistersFigure{
    trMark("Registers, shared memory, spills and occupancy, as reported by the compiler"), newCommand<RegistersCommand>,
    newWork<RegistersWork>, true};

}  // namespace haloscope
