#include "reports/RunReport.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "faults/FindingKinds.h"
#include "language/Text.h"
#include "program/NotebookLines.h"
#include "reports/Diagnostics.h"
#include "running/AllocationNames.h"
#include "running/EndSentence.h"
#include "running/HostFindings.h"
#include "running/LaunchVerdict.h"
#include "running/Remarks.h"
#include "text/Print.h"

namespace haloscope {

namespace {

using Json = nlohmann::ordered_json;
using running::ProgramEvent;
using running::ProgramLaunch;
using running::ProgramRun;

constexpr std::size_t kLaunchesShown = 40;

/// "d_in" with the offset of a pointer that does not point to the beginning.
std::string arrayText(const std::vector<std::string>& names, const running::DevicePlace& place) {
  std::string name = names.at(place.allocation);
  if (place.offset != 0) { name += fmt::format("{:+}", place.offset); }
  return name;
}

std::string pointersText(const std::vector<std::string>& names, const ProgramLaunch& launch) {
  std::string text;
  for (const running::LaunchPointer& pointer : launch.pointers) {
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", pointer.parameter,
                        pointer.place ? arrayText(names, *pointer.place) : tr("null"));
  }
  return text;
}

/// Launches of the same kernel, configuration and verdict in a row.
struct Group {
  std::size_t first = 0, count = 0;
};

std::vector<Group> groupsOf(const std::vector<ProgramLaunch>& launches) {
  std::vector<Group> groups;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const auto same = [&](const ProgramLaunch& a, const ProgramLaunch& b) {
      return a.symbol == b.symbol && a.configuration == b.configuration && a.at == b.at && a.problem == b.problem &&
             launchVerdict(a).text == launchVerdict(b).text;
    };
    if (!groups.empty() && same(launches[groups.back().first], launches[i])) {
      ++groups.back().count;
    } else {
      groups.push_back({i, 1});
    }
  }
  return groups;
}

/// What the pointers of these launches are, each combination once.
std::vector<std::string> pointersOf(const ProgramRun& run, const std::vector<std::string>& names, const Group& group) {
  constexpr std::size_t kShown = 4;
  std::vector<std::string> all;
  for (std::size_t i = group.first; i < group.first + group.count && all.size() < kShown; ++i) {
    std::string text = pointersText(names, run.launches[i]);
    if (!text.empty() && std::ranges::find(all, text) == all.end()) { all.push_back(std::move(text)); }
  }
  return all;
}

void printLaunches(const ProgramRun& run, const running::ProgramFiles& files) {
  const std::vector<Group> groups = groupsOf(run.launches);
  const auto where = [](const host::HostPlace& at) {
    return at.line == 0 ? running::placeText(at) : fmt::format("{}:{}", at.file, at.line);
  };
  std::size_t kernels = 20, places = 12;
  for (const Group& group : groups) {
    const ProgramLaunch& launch = run.launches[group.first];
    kernels = std::max(kernels, launch.kernel.size() + 6);
    places = std::max(places, where(launch.at).size());
  }
  printText("\n{:<{}} {:<14} {:<12} {:<{}} {}\n", tr("kernel"), kernels, tr("grid"), tr("block"), tr("launched at"),
            places, tr("verdict"));
  const std::vector<std::string> names = running::allocationNames(run, files.program);
  for (std::size_t i = 0; i < std::min(groups.size(), kLaunchesShown); ++i) {
    const ProgramLaunch& launch = run.launches[groups[i].first];
    const std::string times = groups[i].count > 1 ? fmt::format(" ×{}", groups[i].count) : "";
    printText("{:<{}} {:<14} {:<12} {:<{}} {}\n", launch.kernel + times, kernels, extentText(launch.configuration.grid),
              extentText(launch.configuration.block), where(launch.at), places, launchVerdict(launch).text);
    for (const std::string& pointers : pointersOf(run, names, groups[i])) { printText("    {}\n", pointers); }
    if (!launch.problem.empty() && !isProblemFound(run, launch)) { printText("    {}\n", launch.problem); }
    if (launch.executed && launch.blocks < launch.configuration.grid.count()) {
      trPrint(
          "    {} of {} blocks were executed, those at the grid's borders first: the launch is too large for the "
          "budget.\n",
          launch.blocks, launch.configuration.grid.count());
    }
    if (launch.textureRequests > 0) {
      trPrint("    {} requests of warps to textures and surfaces, whose bytes are not counted as global traffic\n",
              launch.textureRequests);
    }
  }
  if (groups.size() > kLaunchesShown) { trPrint("… and {} more rows\n", groups.size() - kLaunchesShown); }
}

}  // namespace

void printProgram(const ProgramRun& run, const running::ProgramFiles& files, const ProgramOptions& options) {
  if (!run.output.empty()) {
    printText("{}{}", PrintedLines{run.output}, run.output.ends_with('\n') ? "" : "\n");
    if (run.outputLeftOut > 0) { trPrint("… and {} bytes more\n", run.outputLeftOut); }
    printText("\n");
  }
  DiagnosticPrinter printer;
  const auto pathOf = [&](const std::string& file) { return (files.folder / file).string(); };
  for (const host::HostProgram::File& file : files.program.files) {
    const std::string note = notebookNote(file.text);
    if (!note.empty()) {
      printer.print({.place = {pathOf(file.name), {}}, .weight = verdict::Weight::Note, .message = note});
    }
  }
  bool saysHowItEnded = false;
  for (verdict::Remark& remark : running::remarksOf(run, !options.arguments.empty())) {
    saysHowItEnded = saysHowItEnded || remark.kind == running::kEndRemark;
    if (remark.place.range.valid()) { remark.place.file = pathOf(remark.place.file); }
    printer.print(diagnosticOf(remark));
  }
  for (const ProgramLaunch& launch : run.launches) {
    for (const faults::Finding& finding : launch.findings) {
      printer.print({.place = {pathOf(launch.file), finding.where},
                     .kind = faults::rowOf(finding.kind).name,
                     .message = finding.message,
                     .remedy = finding.remedy});
    }
  }
  if (!run.launches.empty()) { printLaunches(run, files); }
  if (!run.message.empty() && !saysHowItEnded) {
    const std::string at =
        run.endedAt.line == 0 ? "" : fmt::format("{}:{}: ", shownPath(pathOf(run.endedAt.file)), run.endedAt.line);
    printText("\n{}{}\n", at, run.message);
  }
  if (run.end == running::ProgramEnd::Exited && !run.launches.empty()) { printText("\n{}\n", exitSentence(run)); }
}

Json programJson(const ProgramRun& run, const running::ProgramFiles& files) {
  static constexpr std::array kEnds{"rejected",    "no-main",     "exited",   "crashed", "uncaught",
                                    "unsupported", "lacks-input", "too-long", "stopped", "failed"};
  Json launches = Json::array();
  for (const ProgramLaunch& launch : run.launches) {
    Json pointers = Json::array();
    for (const running::LaunchPointer& pointer : launch.pointers) {
      Json one = {{"parameter", pointer.parameter}, {"reads", pointer.reads}, {"writes", pointer.writes}};
      one["allocation"] = pointer.place ? Json(pointer.place->allocation) : Json();
      one["offset"] = pointer.place ? Json(pointer.place->offset) : Json();
      pointers.push_back(std::move(one));
    }
    Json findings = Json::array();
    for (const faults::Finding& finding : launch.findings) {
      findings.push_back({{"kind", faults::rowOf(finding.kind).name},
                          {"file", launch.file},
                          {"line", finding.where.line},
                          {"column", finding.where.column},
                          {"message", finding.text()},
                          {"remedy", finding.remedy},
                          {"occurrences", finding.occurrences}});
    }
    launches.push_back(
        {{"kernel", launch.kernel},
         {"file", launch.file},
         {"line", launch.at.line},
         {"device", launch.device},
         {"grid", {launch.configuration.grid.x, launch.configuration.grid.y, launch.configuration.grid.z}},
         {"block", {launch.configuration.block.x, launch.configuration.block.y, launch.configuration.block.z}},
         {"dynamic_shared_bytes", launch.configuration.dynamicSharedBytes},
         {"pointers", std::move(pointers)},
         {"scalars", launch.scalars},
         {"executed", launch.executed},
         {"checked", launch.checked},
         {"blocks", launch.blocks},
         {"flops", launch.flops},
         {"global_bytes", launch.globalBytes},
         {"texture_requests", launch.textureRequests},
         {"array_bytes", launch.arrayBytes},
         {"problem", launch.problem},
         {"result", launch.result ? Json(verdict::resultText(*launch.result)) : Json()},
         {"findings", std::move(findings)}});
  }
  Json allocations = Json::array();
  const std::vector<std::string> names = running::allocationNames(run, files.program);
  for (const running::Allocation& one : run.allocations) {
    allocations.push_back({{"name", names.at(one.id)},
                           {"bytes", one.size},
                           {"device", one.device},
                           {"file", one.allocatedAt.file},
                           {"line", one.allocatedAt.line},
                           {"freed", one.freed}});
  }
  Json findings = Json::array();
  for (const running::HostFinding& finding : run.findings) {
    findings.push_back({{"kind", rowOf(finding.kind).name},
                        {"fault", rowOf(finding.kind).fault},
                        {"file", finding.at.file},
                        {"line", finding.at.line},
                        {"message", finding.message},
                        {"occurrences", finding.occurrences}});
  }
  Json problems = Json::array();
  for (const host::HostDiagnostic& problem : run.problems) {
    problems.push_back({{"file", problem.where.file},
                        {"line", problem.where.line},
                        {"column", problem.column},
                        {"message", problem.message}});
  }
  Json sizes = Json::array();
  for (const running::ChangedSize& one : run.sizes) {
    const bool argument = one.size.name.empty();
    sizes.push_back({{"name", argument ? Json() : Json(one.size.name)},
                     {"argument", argument ? Json(one.size.argument + 1) : Json()},
                     {"file", one.size.at.file},
                     {"line", one.size.at.line},
                     {"value", one.value},
                     {"instead_of", one.size.value}});
  }
  Json refused = Json::array();
  for (const running::RefusedFile& file : run.refusedFiles) {
    refused.push_back({{"name", file.name}, {"writes", file.writes()}, {"file", file.at.file}, {"line", file.at.line}});
  }
  return {{"program", files.program.files.front().name},
          {"end", kEnds.at(static_cast<std::size_t>(run.end))},
          {"status", run.status},
          {"message", run.message},
          {"line", run.endedAt.line},
          {"output", run.output},
          {"output_left_out", run.outputLeftOut},
          {"sizes", std::move(sizes)},
          {"sizes_text", run.sizesText},
          {"refused_files", std::move(refused)},
          {"problems", std::move(problems)},
          {"allocations", std::move(allocations)},
          {"launches", std::move(launches)},
          {"findings", std::move(findings)},
          {"seconds", {{"compile", run.compileSeconds}, {"host", run.hostSeconds}, {"kernels", run.kernelSeconds}}}};
}

}  // namespace haloscope
