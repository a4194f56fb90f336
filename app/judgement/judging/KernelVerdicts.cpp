#include "judging/KernelVerdicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "checking/Siblings.h"
#include "checking/Uniformity.h"
#include "checking/WrongResult.h"
#include "experiment/FlatArray.h"
#include "faults/Traps.h"
#include "judging/ProgramRepair.h"
#include "language/Text.h"
#include "opening/OpenedFile.h"
#include "running/ElementsAsBytes.h"
#include "running/KernelChecks.h"
#include "running/KernelTexts.h"
#include "work/Deadline.h"

namespace haloscope::judging {

namespace {

using verdict::Basis;
using verdict::Outcome;

bool isAboutMemory(const faults::Finding& finding) {
  using faults::FindingKind;
  return finding.kind == FindingKind::OutOfBounds || finding.kind == FindingKind::Uninitialized ||
         finding.kind == FindingKind::UnwrittenOutput || finding.kind == FindingKind::RaceGlobal;
}

/// Whether what a launch is watched for includes this kind, so that one without it was clean.
bool isWatchedForInLaunches(const faults::Finding& finding) {
  using faults::FindingKind;
  switch (finding.kind) {
    case FindingKind::OutOfBounds:
    case FindingKind::Uninitialized:
    case FindingKind::Misaligned:
    case FindingKind::DivergentBarrier:
    case FindingKind::RaceShared:
    case FindingKind::RaceGlobal:
    case FindingKind::Trap:
    case FindingKind::Endless:
    case FindingKind::IntegerTruncation:
    case FindingKind::DivisionByZero:
    case FindingKind::SignedOverflow:
      return true;
    default:
      return false;
  }
}

/// What shows on data that the program does not have, and not when it was executed with its own, is no fault of it: its
/// data may be what keeps the kernel from there, as the value of a border does.
void dropWhatOwnDataPrevent(const std::vector<const running::ProgramLaunch*>& launches, CheckedKernel& row) {
  const auto isWhole = [](const running::ProgramLaunch* one) {
    return one->executed && one->checked && one->problem.empty() &&
           one->checkedBlocks == one->configuration.grid.count();
  };
  if (launches.empty() || !std::ranges::all_of(launches, &running::ProgramLaunch::executed) ||
      std::ranges::none_of(launches, isWhole)) {
    return;
  }
  std::erase_if(row.report->findings, [&](const faults::Finding& finding) {
    const auto shows = [&](const running::ProgramLaunch* one) {
      return std::ranges::find(one->findings, finding.kind, &faults::Finding::kind) != one->findings.end();
    };
    if (!isWatchedForInLaunches(finding) || std::ranges::any_of(launches, shows)) { return false; }
    row.remarks.push_back({.place = {row.file, finding.where},
                           .message = trf("On random data, not on the program's own: {}", finding.message)});
    return true;
  });
}

/// By symbol, the kernels whose results a kernel has read in the program. What the host has copied in between counts as
/// the host's.
std::map<std::string, std::set<std::string>> takenUp(const running::ProgramRun& run) {
  std::map<std::string, std::set<std::string>> found;
  std::map<running::AllocationId, std::string> writers;  // the kernel that was the last to write an array
  for (const running::ProgramEvent& event : run.events) {
    using Kind = running::ProgramEvent::Kind;
    if (event.kind != Kind::Launch) {
      if (!event.destination) { continue; }
      const auto from = event.source ? writers.find(event.source->allocation) : writers.end();
      const std::string writer = from == writers.end() ? std::string() : from->second;
      writers[event.destination->allocation] = writer;
      continue;
    }
    const running::ProgramLaunch& launch = run.launches.at(event.launch);
    for (const running::LaunchPointer& one : launch.pointers) {
      const auto writer = one.reads && one.place ? writers.find(one.place->allocation) : writers.end();
      if (writer != writers.end() && !writer->second.empty() && writer->second != launch.symbol) {
        found[launch.symbol].insert(writer->second);
      }
    }
    for (const running::LaunchPointer& one : launch.pointers) {
      if (one.writes && one.place) { writers[one.place->allocation] = launch.symbol; }
    }
  }
  return found;
}

/// The kernels of these symbols, as reports name them.
void addKernels(const ExecutedProgram& program, const std::set<std::string>& symbols,
                const std::vector<CheckedKernel>& rows, std::set<std::string>& kernels) {
  for (const std::string& symbol : symbols) {
    const auto one = std::ranges::find(program.run.launches, symbol, &running::ProgramLaunch::symbol);
    if (one == program.run.launches.end()) { continue; }
    for (const CheckedKernel& row : rows) {
      if (isOfRow(*one, program.files.folder, row)) { kernels.insert(row.report ? row.report->kernel : row.kernel); }
    }
  }
}

/// Of the largest array that one of these launches writes.
std::uint64_t mostWritten(const running::ProgramRun& run, const std::vector<const running::ProgramLaunch*>& launches) {
  std::uint64_t most = 0;
  for (const running::ProgramLaunch* const launch : launches) {
    for (const running::LaunchPointer& one : launch->pointers) {
      if (!one.writes || !one.place || launch->program == nullptr) { continue; }
      const auto object = std::ranges::find(launch->program->objects, one.parameter, &MemoryObject::name);
      if (object == launch->program->objects.end()) { continue; }
      const auto bytes = static_cast<std::uint64_t>(sizeInMemory(object->element));
      most = std::max(most, run.allocations.at(one.place->allocation).size / bytes);
    }
  }
  return most;
}

/// Where a kernel differs at most points of the program's arrays from what it is recognised as, and the program accepts
/// the result, its own data do not show the difference. Single points a program may leave out of its comparison.
void dropSupposed(const running::ProgramRun& run, const std::vector<const running::ProgramLaunch*>& launches,
                  CheckedKernel& row) {
  checking::CheckReport& report = *row.report;
  const bool nearlyAll = std::ranges::any_of(report.findings, [&](const faults::Finding& finding) {
    return checking::isWrongResult(finding) && 2 * finding.outputCount > mostWritten(run, launches);
  });
  if (!nearlyAll || !report.evidence.has(Basis::Recognised, Outcome::Differs)) { return; }
  std::erase_if(report.findings, [&](const faults::Finding& finding) {
    if (!checking::isWrongResult(finding)) { return false; }
    row.remarks.push_back({.place = {row.file, finding.where},
                           .message = trf("On random data, not on the program's own: {}", finding.message)});
    return true;
  });
  report.evidence.drop(Basis::Recognised);
}

/// Whether all that a kernel has read as input is the same along an axis, as far as its first launch is kept: then
/// every neighbour along it gives the same, and a comparison of the results does not tell which were taken.
bool readsOnlyStripes(const ExecutedProgram& program, const std::string& symbol) {
  constexpr std::int64_t kMostInFilter = 128;
  const auto known = program.first.find(symbol);
  const auto launch = std::ranges::find(program.run.launches, symbol, &running::ProgramLaunch::symbol);
  if (known == program.first.end() || known->second == nullptr || launch == program.run.launches.end()) {
    return false;
  }
  const running::KeptLaunch& kept = *known->second;
  const std::vector<bool> written = writtenObjects(*kept.program);
  std::vector<std::int64_t> sizes;
  for (std::size_t i = 0; i < kept.program->parameters.size(); ++i) {
    const Parameter& parameter = kept.program->parameters[i];
    if (parameter.variable == kNone) { continue; }
    const ValueType type = kept.program->registers[kept.program->variables[parameter.variable].reg].type;
    if (type == ValueType::I32 || type == ValueType::U32) {
      sizes.push_back(static_cast<std::int32_t>(static_cast<std::uint32_t>(kept.launch.arguments[i])));
    }
  }
  bool any = false;
  for (const ObjectId object : kept.arrays) {
    const ArrayData& array = kept.launch.arrays.at(object);
    const bool isInput = !written.at(object) && object < launch->loaded.size() && launch->loaded[object] &&
                         array.elementCount() > kMostInFilter;
    if (!isInput) { continue; }
    if (!experiment::isSameAlongAnAxis(array, sizes)) { return false; }
    any = true;
  }
  return any;
}

/// The comparison with a supposed reference gives way to that of the program.
void preferOwnFunction(CheckedKernel& row, const running::ProgramLaunch& matching) {
  checking::CheckReport& report = *row.report;
  if (report.evidence.has(Basis::Recognised, Outcome::Differs)) {
    std::erase_if(report.findings, checking::isWrongResult);
    report.evidence.drop(Basis::Recognised);
  }
  report.evidence.add(
      {.basis = Basis::OwnFunction, .with = {matching.ownFunction}, .onOwnDataOnly = matching.onOwnDataOnly});
}

/// A kernel whose text alone cannot be read, because it takes a texture or a table of pointers, was executed and
/// checked all the same if its program launches it.
bool reportAsExecuted(const ExecutedProgram& program, CheckedKernel& row) {
  const auto& launches = program.run.launches;
  const auto launch = std::ranges::find_if(launches, [&](const running::ProgramLaunch& one) {
    return !row.kernel.empty() && one.checked && one.program != nullptr && isOfRow(one, program.files.folder, row);
  });
  if (launch == launches.end()) { return false; }
  row.report.emplace();
  row.report->kernel = row.kernel;
  row.report->program = launch->program;
  for (const SourceError& error : row.errors) {
    row.assumptions.push_back(trf("Without its program the kernel cannot be read: {}", error.message()));
  }
  row.errors.clear();
  return true;
}

/// The text of a program's file as it was executed.
const std::string& textOf(const ExecutedProgram& program, const host::HostProgram::File& file) {
  const auto other = program.texts.find((program.files.folder / file.name).lexically_normal());
  return other == program.texts.end() ? file.text : other->second;
}

/// The kernels that the program launched, checked.
std::vector<CheckedKernel> launchedKernels(const ExecutedProgram& program, const std::stop_token& stop) {
  opening::LaunchOverrides overrides;
  overrides.defines = program.files.program.defines;
  overrides.executed = program.run.facts();
  for (const auto& [name, text] : program.files.program.headers) {
    overrides.headerTexts[(program.files.folder / name).lexically_normal()] = text;
  }
  for (const auto& [path, text] : program.texts) { overrides.headerTexts[path] = text; }
  std::vector<CheckedKernel> rows;
  if (overrides.executed.empty()) { return rows; }
  for (const host::HostProgram::File& file : program.files.program.files) {
    const std::filesystem::path path = program.files.folder / file.name;
    opening::OpenedFile opened;
    try {
      opened = opening::openText(path, textOf(program, file), overrides);
    } catch (const InputError&) {
      continue;  // too large to be opened as a kernel file
    }
    for (const opening::ProposedKernel& kernel : opened.kernels) {
      CheckedKernel row{.file = kernel.file.path.string(), .kernel = kernel.file.kernel, .symbol = kernel.symbol};
      const auto isIts = [&](const running::ProgramLaunch& launch) {
        return launch.executed && isOfRow(launch, program.files.folder, row);
      };
      if (stop.stop_requested() || std::ranges::none_of(program.run.launches, isIts)) { continue; }
      try {
        checkKernel(kernel.file, {}, row, {.stop = stop});
      } catch (const experiment::Cancelled&) { return rows; }
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

/// Of all comparisons of a program's results.
constexpr std::chrono::seconds kLongestComparison{20};

/// "reduce<256>" of "reduce<256U>", which other tools write as "reduce<256u>".
std::string withoutSuffixes(const std::string& kernel) {
  std::string text;
  bool number = false;
  for (const char one : kernel) {
    if (number && std::string_view("uUlL").find(one) != std::string_view::npos) { continue; }
    number = one >= '0' && one <= '9';
    text += one;
  }
  return text;
}

}  // namespace

bool isOfRow(const running::ProgramLaunch& launch, const std::filesystem::path& folder, const CheckedKernel& row) {
  // Two tools write the arguments of a template in two ways, blur<(Axis)0> and blur<Axis::X>: names only where a symbol
  // is not known.
  if (!row.symbol.empty() && !launch.symbol.empty()) {
    if (launch.symbol != row.symbol) { return false; }
  } else {
    if (running::baseName(launch.kernel) != running::baseName(row.kernel)) { return false; }
    if (row.kernel.ends_with('>') && !withoutSuffixes(launch.kernel).ends_with(withoutSuffixes(row.kernel))) {
      return false;
    }
  }
  return (folder / launch.file).lexically_normal() == std::filesystem::path(row.file).lexically_normal();
}

void addFindings(const ExecutedProgram& program, std::vector<CheckedKernel>& rows) {
  const std::map<std::string, running::OwnCheck> checks = checksOfKernels(program.run);
  const std::map<std::string, std::set<std::string>> steps = takenUp(program.run);
  // That a result is rejected may be the fault of the kernel.
  const bool hostIsToBlame = std::ranges::any_of(program.run.findings, [](const running::HostFinding& one) {
    return rowOf(one.kind).fault && one.kind != running::HostFindingKind::RejectedResult;
  });
  for (CheckedKernel& row : rows) {
    if (!row.report && !reportAsExecuted(program, row)) { continue; }
    std::vector<faults::Finding>& findings = row.report->findings;
    std::size_t launches = 0;
    bool launchedWrong = false;
    std::vector<const running::ProgramLaunch*> all;
    for (const running::ProgramLaunch& launch : program.run.launches) {
      if (isOfRow(launch, program.files.folder, row)) { all.push_back(&launch); }
    }
    dropWhatOwnDataPrevent(all, row);
    const running::OwnCheck* own = nullptr;
    for (const running::ProgramLaunch& launch : program.run.launches) {
      if (!isOfRow(launch, program.files.folder, row)) { continue; }
      const bool missing = std::ranges::any_of(program.run.findings, [&](const running::HostFinding& one) {
        return one.kind == running::HostFindingKind::ResultMissing && one.at == launch.at;
      });
      if (const auto check = checks.find(launch.symbol);
          !missing && check != checks.end() && (own == nullptr || own->passed)) {
        own = &check->second;
      }
      addKernels(program, {launch.alike.begin(), launch.alike.end()}, rows, row.report->alike);
      if (const auto one = steps.find(launch.symbol); one != steps.end()) {
        addKernels(program, one->second, rows, row.report->takesUp);
      }
      if (launches++ == 0) {
        if (launch.facts.sharesArrays) { std::erase_if(findings, isAboutMemory); }
        faults::eraseAssertions(findings);
      }
      // Its arrays are too small, which is reported where they are allocated.
      if (launch.lacksMemory) { std::erase_if(findings, running::comesFromSmallArrays); }
      launchedWrong = launchedWrong || std::ranges::any_of(launch.findings, checking::isWrongResult);
      for (const faults::Finding& finding : launch.findings) {
        if (checking::isWrongResult(finding)) {
          for (const verdict::Evidence& one : finding.shownBy) { row.report->evidence.add(one); }
          checking::addWrongResult(findings, finding);
          continue;
        }
        if (finding.kind == faults::FindingKind::UnwrittenOutput) {
          // What its own execution tells says which grid is right; a wrong result comes of it.
          std::erase_if(findings, [](const faults::Finding& one) {
            return one.kind == faults::FindingKind::UnwrittenOutput || (checking::isWrongResult(one) && !one.explained);
          });
        }
        const auto same = [&](const faults::Finding& other) {
          return other.kind == finding.kind && other.where.line == finding.where.line;
        };
        if (std::ranges::none_of(findings, same)) { findings.push_back(finding); }
      }
    }
    const auto matching = std::ranges::find_if(program.run.launches, [&](const running::ProgramLaunch& launch) {
      return isOfRow(launch, program.files.folder, row) && !launch.ownFunction.empty();
    });
    const bool known = matching != program.run.launches.end() && !launchedWrong;
    if (known) { preferOwnFunction(row, *matching); }
    const auto unlike = std::ranges::find_if(program.run.launches, [&](const running::ProgramLaunch& launch) {
      return isOfRow(launch, program.files.folder, row) && !launch.unlike.empty();
    });
    if (!known && unlike != program.run.launches.end()) {
      row.addNote(
          unlike->wrongIfMeant
              ? trf("{}: {}. Whether the two are meant to be the same is not known.", row.kernel,
                    unlike->wrongIfMeant->message)
              : trf("{}: Its result differs from that of {}, which was called with the same data. Whether that is "
                    "meant to compute the same is not known.",
                    row.kernel, unlike->unlike));
    }
    if (std::ranges::any_of(all, &running::ProgramLaunch::meantWrong)) {
      row.report->meantWrong = true;
      row.report->doubt =
          tr("its program accepts the result of another kernel and is to reject this one: with what this is compared "
             "with in its place, it ends with failure");
      std::erase_if(findings, checking::isWrongResult);
      for (const Basis one : {Basis::OwnFunction, Basis::Recognised}) {
        if (row.report->evidence.has(one, Outcome::Differs)) { row.report->evidence.drop(one); }
      }
    }
    if (own != nullptr && own->passed) { dropSupposed(program.run, all, row); }
    if (own != nullptr && own->passed && readsOnlyStripes(program, row.symbol)) {
      row.addNote(
          trf("{}: The program's own comparison accepts its result, but each of its inputs is the same along an axis: "
              "other neighbours along it would give the same.",
              row.kernel));
    } else if (own != nullptr && (own->passed || !hostIsToBlame)) {
      row.report->evidence.add({.basis = Basis::OwnComparison,
                                .outcome = own->passed ? Outcome::Agrees : Outcome::Differs,
                                .with = {running::textOf(*own)}});
    }
    const bool executed = std::ranges::any_of(program.run.launches, [&](const running::ProgramLaunch& launch) {
      return isOfRow(launch, program.files.folder, row) && launch.executed;
    });
    if (!executed && launches > 0) {
      const auto failed = std::ranges::find_if(program.run.launches, [&](const running::ProgramLaunch& launch) {
        return isOfRow(launch, program.files.folder, row);
      });
      row.assumptions.push_back(trf("The program's launch of {} at line {} was not executed: {}", row.kernel,
                                    failed->at.line, failed->problem));
    }
    if (executed) {
      const auto isWhole = [&](const running::ProgramLaunch& launch) {
        return !isOfRow(launch, program.files.folder, row) ||
               (launch.executed && launch.problem.empty() && launch.blocks == launch.configuration.grid.count());
      };
      row.scope = program.run.sizes.empty() && std::ranges::all_of(program.run.launches, isWhole)
                      ? verdict::Scope::AllLaunches
                      : verdict::Scope::PartOfLaunches;
      row.assumptions.push_back(
          launches == 1 ? trf("The sizes and arrays are those with which the program launches {}.", row.kernel)
                        : trf("The program launches {} {} times: the sizes and arrays are those of the first launch.",
                              row.kernel, launches));
    }
  }
}

void checkUniformity(std::span<CheckedKernel> rows, const std::stop_token& stop) {
  for (CheckedKernel& row : rows) {
    const bool open = row.checked() && row.text && row.report->findings.empty();
    if (!open || (verdictOf(row).evidence.isCompared() && row.report->doubt.empty())) { continue; }
    checking::checkUniformity(*row.text, row.bindings, *row.report, stop);
  }
}

void noteResults(const std::vector<CheckedKernel>& rows, running::ProgramRun& run,
                 const std::filesystem::path& folder) {
  for (const CheckedKernel& row : rows) {
    if (!row.report) { continue; }
    std::vector<running::ProgramLaunch*> launches;
    for (running::ProgramLaunch& launch : run.launches) {
      if (launch.executed && isOfRow(launch, folder, row)) { launches.push_back(&launch); }
    }
    if (launches.empty()) { continue; }
    for (running::ProgramLaunch* const launch : launches) { launch->result = verdictOf(row); }
    const auto wrong = std::ranges::find_if(row.report->findings, checking::isWrongResult);
    if (wrong == row.report->findings.end()) { continue; }
    // At the launch that has shown it, which need not be the first.
    const auto shown = std::ranges::find_if(launches, [](const running::ProgramLaunch* launch) {
      return std::ranges::any_of(launch->findings, checking::isWrongResult);
    });
    running::ProgramLaunch& at = shown == launches.end() ? *launches.front() : **shown;
    for (running::ProgramLaunch* const launch : launches) {
      std::erase_if(launch->findings, checking::isWrongResult);
      launch->result.reset();
      if (launch != &at) { launch->wrongIn = static_cast<std::size_t>(&at - run.launches.data()); }
    }
    faults::Finding finding = *wrong;
    // What it was checked with has an array for each parameter.
    finding.object = kNone;
    finding.outputs.clear();
    finding.reached.clear();
    at.findings.push_back(std::move(finding));
  }
  running::dropExplainedRejections(run);
}

void judge(ExecutedProgram& program, const std::stop_token& stop) {
  const work::Deadline deadline(kLongestComparison, stop);
  addProgramRepair(program, deadline.token());
  std::vector<CheckedKernel> rows = launchedKernels(program, deadline.token());
  addFindings(program, rows);
  std::vector<checking::Sibling> siblings;
  for (CheckedKernel& row : rows) {
    if (row.checked() && row.text && !row.report->meantWrong) {
      siblings.push_back({&*row.text, row.bindings, &*row.report});
    }
  }
  try {
    checking::compareSiblings(siblings, deadline.token());
    checkUniformity(rows, deadline.token());
  } catch (const experiment::Cancelled&) {
    if (stop.stop_requested()) { return; }
  }
  noteResults(rows, program.run, program.files.folder);
}

}  // namespace haloscope::judging
