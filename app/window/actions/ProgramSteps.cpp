#include "actions/ProgramSteps.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "actions/Choices.h"
#include "actions/Findings.h"
#include "language/Text.h"
#include "program/NumberText.h"
#include "program/SourceLocation.h"
#include "running/EndSentence.h"
#include "state/AppState.h"

namespace haloscope {

std::vector<ProgramFault> programFaults(const AppState& state) {
  const auto& executed = state.program.executed;
  if (executed == nullptr || !state.launches.contains(state.choice.kernel)) { return {}; }
  std::vector<ProgramFault> shown;
  for (const ProgramFault& fault : executed->faults) {
    const auto same = [&](const faults::Finding& one) {
      return fault.kind == one.kind && one.where.line == fault.at.line;
    };
    if (std::ranges::none_of(findings(state), same)) { shown.push_back(fault); }
  }
  return shown;
}

void chooseProgramFault(AppState& state, const ProgramFault& fault) {
  const auto& executed = state.program.executed;
  if (executed == nullptr) { return; }
  if (!fault.launch) { return chooseHostPlace(state, fault.at); }
  const auto& launches = executed->timeline.launches;
  if (*fault.launch < launches.size()) { selectColumn(state, launches[*fault.launch]); }
  state.program.place = fault.at;
}

void chooseHostPlace(AppState& state, const host::HostPlace& at) {
  const auto& executed = state.program.executed;
  if (executed == nullptr) { return; }
  const auto& columns = executed->timeline.columns;
  const auto call = std::ranges::find_if(columns, [&](const ProgramColumn& one) {
    return one.kind != ProgramColumn::Kind::Print && executed->run.events[one.event].at == at;
  });
  if (call == columns.end()) {
    deselectColumn(state);
  } else {
    selectColumn(state, static_cast<std::size_t>(call - columns.begin()));
  }
  if (at.line > 0) { state.program.place = at; }
}

namespace {

using running::DevicePlace;
using running::ProgramEvent;
using running::ProgramLaunch;
using CallKind = ProgramColumn::Kind;

/// A file's kernel is chosen by its name; the launch table shows which.
void chooseKernel(AppState& state, const ProgramLaunch& launch) {
  const auto opened = state.launches.find(state.choice.kernel);
  if (opened == state.launches.end()) { return; }
  const std::string wanted = kernelAmong(opened->second.kernels, launch.kernel);
  const KernelFile* const file = chosenFile(state);
  if (wanted.empty() || file == nullptr || file->kernel == wanted) { return; }
  opened->second.kernel = wanted;
  ++opened->second.revision;
}

bool isLaunch(const ShownProgram& program, std::size_t column) {
  return program.timeline.columns[column].kind == CallKind::Launch;
}

void selectNeighbour(AppState& state, bool forward) {
  if (!programShown(state)) { return; }
  const std::vector<std::size_t>& launches = state.program.executed->timeline.launches;
  const std::optional<std::size_t> now = state.program.column;
  if (!now) { return selectColumn(state, forward ? launches.front() : launches.back()); }
  if (forward) {
    const auto next = std::ranges::upper_bound(launches, *now);
    if (next != launches.end()) { selectColumn(state, *next); }
  } else {
    const auto here = std::ranges::lower_bound(launches, *now);
    if (here != launches.begin()) { selectColumn(state, *std::prev(here)); }
  }
}

std::string bytesOf(std::uint64_t bytes) { return bytes == 1 ? tr("1 byte") : trf("{} bytes", grouped(bytes)); }

std::string copyText(const ShownProgram& program, const ProgramEvent& event) {
  const auto end = [&](const std::optional<DevicePlace>& place) {
    return place ? pointedText(program, place) : std::string(tr("the host"));
  };
  return trf("copies {} from {} to {}", bytesOf(event.bytes), end(event.source), end(event.destination));
}

/// The place of host code to be shown: of a chosen fault, of the selected call, else where the program failed.
host::HostPlace shownPlace(const ProgramView& view) {
  if (view.place) { return *view.place; }
  const running::ProgramRun& run = view.executed->run;
  if (!view.column) {
    const bool ended = run.end == running::ProgramEnd::Exited || run.end == running::ProgramEnd::Stopped;
    return ended ? host::HostPlace{} : run.endedAt;
  }
  const auto& columns = view.executed->timeline.columns;
  const bool call = *view.column < columns.size() && columns[*view.column].kind != CallKind::Print;
  return call ? run.events[columns[*view.column].event].at : host::HostPlace{};
}

}  // namespace

bool programShown(const AppState& state) {
  const auto& executed = state.program.executed;
  if (executed == nullptr || executed->timeline.launches.empty()) { return false; }
  return state.launches.contains(state.choice.kernel) || state.view.tabs.inFront(Tab::Program);
}

void selectColumn(AppState& state, std::size_t column) {
  const auto& executed = state.program.executed;
  if (executed == nullptr || column >= executed->timeline.columns.size()) { return; }
  state.program.column = column;
  state.program.place.reset();
  if (!isLaunch(*executed, column)) { return; }
  chooseKernel(state, executed->run.launches[*executed->timeline.launchAt(executed->run, column)]);
  // The launch says how large it is.
  if (state.launches.contains(state.choice.kernel)) { state.choice.bindings.clear(); }
}

void selectLaunch(AppState& state, std::size_t launch) {
  const auto& executed = state.program.executed;
  const std::size_t count = executed == nullptr ? 0 : executed->timeline.launches.size();
  if (launch >= count) { throw InputError(trf("launch {}: the program has {}", launch + 1, count)); }
  selectColumn(state, executed->timeline.launches[launch]);
}

const ShownProgram* programOf(const AppState& state, const std::filesystem::path& file) {
  const ShownProgram* executed = state.program.executed.get();
  if (executed == nullptr) { return nullptr; }
  const auto isFile = [&](const host::HostProgram::File& one) {
    return (executed->files.folder / one.name).lexically_normal() == file.lexically_normal();
  };
  return std::ranges::any_of(executed->files.program.files, isFile) ? executed : nullptr;
}

void deselectColumn(AppState& state) {
  state.program.column.reset();
  state.program.place.reset();
}

void showFaultyKernel(AppState& state) {
  const auto opened = state.launches.find(state.choice.kernel);
  const KernelFile* const file = chosenFile(state);
  const auto& executed = state.program.executed;
  if (executed == nullptr || file == nullptr || opened == state.launches.end()) { return; }
  if (!opened->second.kernel.empty() || state.program.column) { return; }
  const std::vector<std::string>& kernels = opened->second.kernels;
  const auto faulty = [](const ProgramLaunch& launch) { return !launch.findings.empty(); };
  const auto shown = [&](const ProgramLaunch& launch) { return kernelAmong(kernels, launch.kernel) == file->kernel; };
  const std::vector<ProgramLaunch>& launches = executed->run.launches;
  if (std::ranges::any_of(launches, [&](const auto& one) { return faulty(one) && shown(one); })) { return; }
  const auto first = std::ranges::find_if(launches, faulty);
  if (first != launches.end()) { chooseKernel(state, *first); }
}

void selectNextLaunch(AppState& state) { selectNeighbour(state, true); }
void selectPreviousLaunch(AppState& state) { selectNeighbour(state, false); }

std::optional<std::size_t> selectedLaunch(const AppState& state) {
  const ProgramView& view = state.program;
  if (view.executed == nullptr || !view.column) { return std::nullopt; }
  return view.executed->timeline.launchAt(view.executed->run, *view.column);
}

std::optional<std::size_t> shownLaunch(const AppState& state) {
  if (const auto selected = selectedLaunch(state)) { return selected; }
  const KernelFile* const file = chosenFile(state);
  if (state.program.executed == nullptr || file == nullptr || !file->isOpened()) { return std::nullopt; }
  const ShownProgram& program = *state.program.executed;
  std::optional<std::size_t> found;
  for (const auto& [launch, data] : program.firstData) {
    const ProgramLaunch& one = program.run.launches[launch];
    if (kernelAmong({file->kernel}, one.kernel).empty()) { continue; }
    // Several files may have a kernel of this name.
    if ((program.files.folder / one.file).lexically_normal() == file->path.lexically_normal()) { return launch; }
    if (!found) { found = launch; }
  }
  return found;
}

std::vector<opening::ExecutedLaunch> executedLaunches(const AppState& state, const WorkingCopy& copy) {
  const auto& executed = state.program.executed;
  if (executed == nullptr) { return {}; }
  const auto isText = [&](const host::HostProgram::File& file) {
    return (executed->files.folder / file.name).lexically_normal() == copy.path.lexically_normal() &&
           file.text == copy.text;
  };
  if (std::ranges::none_of(executed->files.program.files, isText)) { return {}; }
  // The text has the program's own sizes.
  if (!executed->run.sizes.empty()) { return executed->run.ownFacts; }
  std::vector<opening::ExecutedLaunch> all = executed->run.facts();
  const auto launch = selectedLaunch(state);
  if (launch && executed->run.launches[*launch].executed) {
    all.insert(all.begin(), executed->run.launches[*launch].facts);
  }
  return all;
}

bool showsLaunchData(const AppState& state) {
  return state.program.data != nullptr && state.experiment != nullptr && state.experiment->launchData &&
         state.experiment->choice.data.empty() && state.experiment->file.data == state.program.data;
}

std::string printedSoFar(const AppState& state) {
  const ProgramView& view = state.program;
  if (view.executed == nullptr) { return {}; }
  const std::string& output = view.executed->run.output;
  const auto& columns = view.executed->timeline.columns;
  return view.column && *view.column < columns.size() ? output.substr(0, columns[*view.column].printed) : output;
}

int hostLineIn(const AppState& state, const KernelFile& file) {
  const ProgramView& view = state.program;
  if (view.executed == nullptr) { return 0; }
  const host::HostPlace at = shownPlace(view);
  const running::ProgramFiles& files = view.executed->files;
  if (at.line == 0 || (files.folder / at.file).lexically_normal() != file.path.lexically_normal()) { return 0; }
  const auto text = std::ranges::find(files.program.files, at.file, &host::HostProgram::File::name);
  const auto header = files.program.headers.find(at.file);
  const bool same = text != files.program.files.end()
                        ? text->text == file.text
                        : header != files.program.headers.end() && header->second == file.text;
  return same ? at.line : 0;
}

std::string columnText(const ShownProgram& program, std::size_t column) {
  const ProgramColumn& one = program.timeline.columns.at(column);
  if (one.kind == CallKind::Print) { return tr("prints"); }
  const ProgramEvent& event = program.run.events[one.event];
  const std::string failed = event.error != 0 ? trf(" (fails with error {})", event.error) : "";
  switch (one.kind) {
    case CallKind::Allocate:
      return trf("allocates {} for {}{}", bytesOf(event.bytes),
                 event.destination ? pointedText(program, event.destination) : tr("nothing"), failed);
    case CallKind::Free:
      return trf("frees {}{}", event.source ? pointedText(program, event.source) : tr("an unknown address"), failed);
    case CallKind::Copy:
      return copyText(program, event) + failed;
    case CallKind::Fill:
      return trf("fills {} of {}{}", bytesOf(event.bytes),
                 event.destination ? pointedText(program, event.destination) : tr("unknown memory"), failed);
    case CallKind::Launch: {
      const ProgramLaunch& launch = program.run.launches[event.launch];
      return trf("launches {}", launch.kernel);
    }
    case CallKind::Synchronize:
      return tr("waits for the device");
    case CallKind::Record:
      return tr("records an event");
    case CallKind::Print:
      break;
  }
  return {};
}

std::string pointedText(const ShownProgram& program, const std::optional<DevicePlace>& place) {
  if (!place || place->allocation >= program.names.size()) { return "null"; }
  const std::string& name = program.names[place->allocation];
  return place->offset == 0 ? name
                            : trf("{} {} {} bytes", name, place->offset < 0 ? "−" : "+",
                                  grouped(static_cast<std::uint64_t>(std::abs(place->offset))));
}

std::string hostPlaceText(const host::HostPlace& place) {
  return place.line == 0 ? std::string() : fmt::format("{}:{}", place.file, place.line);
}

std::string predictedText(const ShownProgram& program, const ProgramLaunch& launch) {
  const double seconds = launch.executed ? running::predictedSeconds(launch, program.device) : 0;
  if (seconds <= 0) { return {}; }
  const std::string time = seconds < 1e-6   ? fmt::format("{:.3g} ns", seconds * 1e9)
                           : seconds < 1e-3 ? fmt::format("{:.3g} µs", seconds * 1e6)
                                            : fmt::format("{:.3g} ms", seconds * 1e3);
  return trf("{} on {}, by its roofline", time, program.device.name);
}

std::string endText(const ShownProgram& program) {
  const running::ProgramRun& run = program.run;
  if (run.end == running::ProgramEnd::Exited) { return exitSentence(run); }
  // Errors of the compiler come with their own places.
  const std::string at = run.problems.empty() ? hostPlaceText(run.endedAt) : std::string();
  return at.empty() ? run.message : fmt::format("{}: {}", at, run.message);
}

std::string progressText(const ProgramView& view) {
  if (view.comparing) { return tr("comparing results"); }
  const running::RunProgress& now = view.progress;
  if (!now.compiled) { return tr("compiling the host code"); }
  const std::string at = now.at.line > 0 ? trf(", line {}", now.at.line) : "";
  if (!now.kernel.empty()) { return trf("executing launch {}: {}{}", grouped(now.launches), now.kernel, at); }
  if (now.calls == 0) { return tr("executing host code"); }
  return trn("executing host code after {} call{}", "executing host code after {} calls{}", now.calls,
             grouped(now.calls), at);
}

}  // namespace haloscope
