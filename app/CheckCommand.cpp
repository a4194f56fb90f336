#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "Commands.h"
#include "analysis/Finding.h"
#include "experiment/Check.h"
#include "experiment/StudentFile.h"

namespace haloscope {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kThreadsShown = 4;
constexpr std::size_t kOutputsShown = 4;
constexpr std::size_t kPlacesShown = 12;
constexpr std::size_t kFindingsShown = 50;
constexpr std::size_t kAssumptionsShown = 20;

/// What came of one kernel: a report, or why there is none.
struct Checked {
  std::string file{}, kernel{};
  std::vector<std::string> assumptions{};
  std::optional<experiment::CheckReport> report{};
  std::vector<SourceError> errors{};  ///< why there is no report
  std::vector<std::string> notes{};   ///< on the file, not on this kernel

  [[nodiscard]] bool read() const { return report && report->program != nullptr; }
};

/// An error without a place in a text.
SourceError atNowhere(const std::string& file, const std::string& message) { return {file, {}, message}; }

std::string coordinates(const Dim3& place) { return fmt::format("({},{},{})", place.x, place.y, place.z); }

std::string place(const Checked& checked, const SourceRange& where) {
  return where.valid() ? fmt::format("{}:{}:{}", checked.file, where.line, where.column) : checked.file;
}

Json toJson(const Dim3& place) { return Json::array({place.x, place.y, place.z}); }

Json toJson(const Checked& checked, const analysis::Finding& finding) {
  Json threads = Json::array();
  for (const analysis::ThreadPlace& thread : finding.threads) {
    threads.push_back({{"block", toJson(thread.block)}, {"thread", toJson(thread.thread)}});
  }
  Json outputs = Json::array();
  for (const std::string& cell : checked.report->outputNames(finding)) { outputs.push_back(cell); }
  Json json = {{"kind", analysis::name(finding.kind)}, {"file", checked.file},
               {"line", finding.where.line},           {"column", finding.where.column},
               {"message", finding.message},           {"threads", std::move(threads)},
               {"interval", finding.interval},         {"occurrences", finding.occurrences},
               {"outputs", std::move(outputs)},        {"output_count", finding.outputCount}};
  if (finding.other.valid()) { json["other"] = {{"line", finding.other.line}, {"column", finding.other.column}}; }
  json["also"] = Json::array();
  for (const analysis::AlsoAt& place : finding.also) {
    Json also = {{"line", place.where.line}, {"column", place.where.column}, {"message", place.message}};
    if (place.other.valid()) { also["other"] = {{"line", place.other.line}, {"column", place.other.column}}; }
    json["also"].push_back(std::move(also));
  }
  return json;
}

/// What keeps a kernel from being read, in the form of a finding.
Json unsupported(const SourceError& error) {
  return {{"kind", analysis::name(analysis::FindingKind::Unsupported)},
          {"file", error.file()},
          {"line", error.where().line},
          {"column", error.where().column},
          {"message", error.message()},
          {"threads", Json::array()},
          {"outputs", Json::array()}};
}

Json toJson(const Checked& checked) {
  Json json = {{"file", checked.file}, {"kernel", checked.kernel}};
  if (!checked.report) {
    json["error"] = checked.errors.front().what();
    json["findings"] = Json::array();
    for (const SourceError& error : checked.errors) { json["findings"].push_back(unsupported(error)); }
    json["matches_reference"] = nullptr;
    json["notes"] = checked.notes;
    return json;
  }
  json["findings"] = Json::array();
  for (const analysis::Finding& finding : checked.report->findings) {
    json["findings"].push_back(toJson(checked, finding));
  }
  json["matches_reference"] =
      checked.report->matchesReference ? Json(*checked.report->matchesReference) : Json(nullptr);
  json["max_error"] = checked.report->matchesReference && std::isfinite(checked.report->maxError)
                          ? Json(checked.report->maxError)
                          : Json(nullptr);
  json["seconds"] = checked.report->seconds;
  json["assumptions"] = checked.assumptions;
  json["notes"] = checked.notes;
  json["watched"] = checked.report->watched;
  json["compared"] = checked.report->compared;
  return json;
}

std::string verdict(const Checked& checked) {
  if (!checked.read()) { return "cannot be read"; }
  if (checked.report->findings.empty()) { return "clean"; }
  std::vector<std::string> kinds;
  for (const analysis::Finding& finding : checked.report->findings) {
    if (std::ranges::find(kinds, analysis::name(finding.kind)) == kinds.end()) {
      kinds.emplace_back(analysis::name(finding.kind));
    }
  }
  std::string text;
  for (const std::string& kind : kinds) { text += (text.empty() ? "" : ", ") + kind; }
  return text;
}

std::string reference(const Checked& checked) {
  if (!checked.report || !checked.report->matchesReference) { return "not known"; }
  return *checked.report->matchesReference ? "matches" : "differs";
}

void printFinding(const Checked& checked, const analysis::Finding& finding) {
  fmt::print("{}: {}: {}\n", place(checked, finding.where), analysis::name(finding.kind), finding.message);
  if (!finding.threads.empty()) {
    std::string threads;
    for (std::size_t i = 0; i < std::min(finding.threads.size(), kThreadsShown); ++i) {
      threads += fmt::format("{}thread {} of block {}", i == 0 ? "" : ", ", coordinates(finding.threads[i].thread),
                             coordinates(finding.threads[i].block));
    }
    fmt::print("    who: {}; {} time{} in all\n", threads, finding.occurrences, finding.occurrences == 1 ? "" : "s");
  }
  if (!finding.also.empty()) {
    std::string places;
    for (std::size_t i = 0; i < std::min(finding.also.size(), kPlacesShown); ++i) {
      const SourceRange where = analysis::placeOf(finding, finding.also[i]);
      places += fmt::format("{}{}:{}", i == 0 ? "" : ", ", where.line, where.column);
    }
    fmt::print("    also: at {}{}\n", places, finding.also.size() > kPlacesShown ? ", …" : "");
  }
  if (finding.outputCount > 0) {
    std::string cells;
    const std::vector<std::string> names = checked.report->outputNames(finding);
    for (std::size_t i = 0; i < std::min(names.size(), kOutputsShown); ++i) {
      cells += (i == 0 ? "" : ", ") + names[i];
    }
    fmt::print("    reaches {} output cell{}: {}{}\n", finding.outputCount, finding.outputCount == 1 ? "" : "s", cells,
               finding.outputCount > kOutputsShown ? ", …" : "");
  }
}

void printTable(const std::vector<Checked>& all) {
  std::size_t width = 4;
  for (const Checked& checked : all) { width = std::max(width, checked.file.size() + 1 + checked.kernel.size()); }
  fmt::print("{:<{}}  {:<10} {}\n", "kernel", width, "reference", "findings");
  for (const Checked& checked : all) {
    const std::string name = checked.kernel.empty() ? checked.file : checked.file + ":" + checked.kernel;
    fmt::print("{:<{}}  {:<10} {}\n", name, width, reference(checked), verdict(checked));
  }
}

void checkKernel(const KernelFile& file, const std::string& shown, const Bindings& bindings, Checked& checked,
                 const Bindings& otherSizes = {}) {
  checked.file = shown;
  checked.kernel = file.kernel;
  try {
    checked.report = experiment::check(file, bindings, {.otherSizes = otherSizes});
    checked.assumptions.insert(checked.assumptions.end(), checked.report->notes.begin(), checked.report->notes.end());
    if (checked.kernel.empty()) { checked.kernel = checked.report->kernel; }
  } catch (const SourceError& error) { checked.errors.push_back(error); } catch (const InputError& error) {
    checked.errors.push_back(atNowhere(shown, error.what()));
  }
}

/// The sizes and tunables among the -D; a file's own macros and coefficients went to it when it was opened.
Bindings knownBindings(KnobOptions knobs, const KernelFile& file) {
  std::erase_if(knobs.defines, [&](const std::string& define) {
    const std::string name = define.substr(0, define.find('='));
    return file.findSize(name) == nullptr && file.findTunable(name) == nullptr;
  });
  return knobs.bindings(file);
}

/// NAME=VALUE, cut in two. Throws InputError naming the option.
std::pair<std::string, std::string> cut(const std::string& option, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw InputError(fmt::format("{} {}: write NAME=VALUE", option, text));
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

void checkFile(const fs::path& path, const CheckCommandOptions& options, std::vector<Checked>& all) {
  experiment::StudentFile opened;
  try {
    opened = experiment::openStudentFile(path, options.overrides());
  } catch (const std::exception& error) {
    all.push_back({.file = path.string(), .errors = {atNowhere(path.string(), error.what())}});
    return;
  }
  const std::size_t before = all.size();
  auto unread = opened.unread.begin();
  const auto addUnread = [&](std::size_t upTo) {
    for (; unread != opened.unread.end() && unread->before <= upTo; ++unread) {
      if (!options.kernel.empty() && unread->kernel != options.kernel) { continue; }
      all.push_back({.file = unread->path.string(), .kernel = unread->kernel, .errors = unread->errors});
    }
  };
  for (std::size_t i = 0; i < opened.kernels.size(); ++i) {
    addUnread(i);
    const experiment::ProposedKernel& kernel = opened.kernels[i];
    if (!options.kernel.empty() && kernel.file.kernel != options.kernel) { continue; }
    Checked checked{.assumptions = kernel.assumptions};
    try {
      checkKernel(kernel.file, kernel.file.path.string(), knownBindings(options.knobs, kernel.file), checked,
                  kernel.otherSizes);
    } catch (const InputError& error) {
      checked = {
          .file = path.string(), .kernel = kernel.file.kernel, .errors = {atNowhere(path.string(), error.what())}};
    }
    all.push_back(std::move(checked));
  }
  addUnread(opened.kernels.size());
  if (all.size() == before) {
    Checked none{.file = path.string(), .kernel = options.kernel};
    for (const frontend::Diagnostic& one : opened.diagnostics) {
      if (!options.kernel.empty() || one.severity != frontend::Diagnostic::Severity::Error) { continue; }
      none.errors.emplace_back(path.string(), one.where, one.message);
    }
    if (none.errors.empty()) {
      none.errors.push_back(atNowhere(path.string(), options.kernel.empty() ? "no kernel in it can be read"
                                                                            : "it has no kernel " + options.kernel));
    }
    all.push_back(std::move(none));
  }
  all[before].notes = opened.notes;
}

}  // namespace

experiment::LaunchOverrides CheckCommandOptions::overrides() const {
  experiment::LaunchOverrides overrides;
  for (const std::string& define : knobs.defines) { overrides.defines.insert(cut("-D", define)); }
  for (const std::string& bind : binds) { overrides.bindings.insert(cut("--bind", bind)); }
  if (launch.empty()) { return overrides; }
  std::array<std::uint32_t, 6> numbers{};
  const char* at = launch.data();
  const char* const end = at + launch.size();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto [next, error] = std::from_chars(at, end, numbers[i]);
    const bool last = i + 1 == numbers.size();
    if (error != std::errc() || numbers[i] == 0 || (last ? next != end : next == end || *next != ',')) {
      throw InputError(fmt::format("--launch {}: write GX,GY,GZ,BX,BY,BZ, six whole numbers from 1", launch));
    }
    at = next + 1;
  }
  overrides.grid = Dim3{numbers[0], numbers[1], numbers[2]};
  overrides.block = Dim3{numbers[3], numbers[4], numbers[5]};
  return overrides;
}

ExitCode checkCommand(const Catalogue& catalogue, const CheckCommandOptions& options) {
  std::vector<Checked> all;
  for (const std::string& target : options.targets) {
    if (const KernelFile* file = catalogue.find(target)) {
      checkKernel(*file, file->path.string(), options.knobs.bindings(*file), all.emplace_back());
    } else if (fs::exists(target)) {
      for (const fs::path& path : experiment::studentFilesIn(target)) { checkFile(path, options, all); }
    } else {
      throw InputError(
          fmt::format("{}: neither a file, nor a folder, nor a variant that \"haloscope list\" names", target));
    }
  }
  bool findings = false;
  bool unreadable = false;
  for (const Checked& checked : all) {
    unreadable = unreadable || !checked.read();
    findings = findings || (checked.report && !checked.report->findings.empty());
  }
  if (options.json) {
    Json list = Json::array();
    for (const Checked& checked : all) { list.push_back(toJson(checked)); }
    std::cout << list.dump(2) << '\n';
  } else {
    for (const Checked& checked : all) {
      for (const SourceError& error : checked.errors) { std::cerr << "haloscope: error: " << error.what() << '\n'; }
      for (const std::string& note : checked.notes) { fmt::print("note: {}\n", note); }
      if (!checked.report) { continue; }
      const std::vector<analysis::Finding>& found = checked.report->findings;
      for (std::size_t i = 0; i < std::min(found.size(), kFindingsShown); ++i) { printFinding(checked, found[i]); }
      if (found.size() > kFindingsShown) {
        fmt::print("{}: and {} more findings (--json lists all)\n", checked.file, found.size() - kFindingsShown);
      }
      const std::vector<std::string>& assumed = checked.assumptions;
      for (std::size_t i = 0; i < std::min(assumed.size(), kAssumptionsShown); ++i) {
        fmt::print("{}: assumed: {}\n", checked.file, assumed[i]);
      }
      if (assumed.size() > kAssumptionsShown) {
        fmt::print("{}: and {} more assumptions (--json lists all)\n", checked.file,
                   assumed.size() - kAssumptionsShown);
      }
    }
    printTable(all);
  }
  return unreadable ? ExitCode::BadInput : findings ? ExitCode::Mismatch : ExitCode::Good;
}

}  // namespace haloscope
