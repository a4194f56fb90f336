#include "reports/BenchSuite.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "catalogue/LimitSuite.h"
#include "driver/Compiler.h"
#include "driver/Device.h"
#include "hardware/Sensors.h"
#include "language/Text.h"
#include "measuring/GpuGate.h"
#include "measuring/SuitePlan.h"
#include "measuring/SuiteRun.h"
#include "measuring/TunedTiles.h"
#include "program/ResourceFolder.h"
#include "reports/Interruption.h"
#include "reports/SuiteReport.h"
#include "text/JsonText.h"
#include "text/Print.h"
#include "work/Pool.h"

namespace haloscope {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kFewCandidates = 24;

/// For each part the class of that name, or those whose names contain it. Throws InputError where there is none.
std::vector<LimitClass> chosenClasses(const LimitSuite& suite, const std::vector<std::string>& parts) {
  if (parts.empty()) { return suite.classes; }
  std::set<std::string> chosen;
  for (const std::string& part : parts) {
    const bool isName = std::ranges::find(suite.classes, part, &LimitClass::name) != suite.classes.end();
    bool found = false;
    for (const LimitClass& one : suite.classes) {
      if (isName ? one.name != part : one.name.find(part) == std::string::npos) { continue; }
      chosen.insert(one.name);
      found = true;
    }
    if (found) { continue; }
    std::vector<std::string> names;
    for (const LimitClass& one : suite.classes) { names.push_back(one.name); }
    throw InputError(
        trf("--class {}: the suite {} has no such class; it has: {}", part, suite.name, fmt::join(names, "; ")));
  }
  std::vector<LimitClass> classes;
  std::ranges::copy_if(suite.classes, std::back_inserter(classes),
                       [&](const LimitClass& one) { return chosen.contains(one.name); });
  return classes;
}

/// Prints the document class by class, so that a run that is cut short leaves what it has measured.
class SuiteDocument {
 public:
  explicit SuiteDocument(const Json& head) {
    std::string text = jsonText(head, 2);
    text.resize(text.rfind('\n'));
    printNow(text + ",\n  \"classes\": [");
  }
  void add(const Json& one) {
    std::string text;
    for (const char c : jsonText(one, 2)) { text += c == '\n' ? std::string("\n    ") : std::string(1, c); }
    printNow((std::exchange(first_, false) ? "\n    " : ",\n    ") + text);
  }
  /// `problem`: why classes are missing; empty: none is.
  void end(const std::string& problem) {
    printNow(fmt::format("\n  ],\n  \"complete\": {},\n  \"problem\": {}\n}}\n", problem.empty(),
                         jsonText(problem.empty() ? Json(nullptr) : Json(problem))));
  }

 private:
  static void printNow(const std::string& text) {
    printLines(text);
    std::fflush(stdout);
  }

  bool first_ = true;
};

}  // namespace

void SuiteArguments::addTo(CLI::App& command) {
  CLI::Option* option =
      command.add_option("--suite", suite, tr("Time every rung of the climbs in a suite: \"limit\", or a .yaml file"));
  command.add_option("--class", classes, tr("Only the suite's class of this name, or those whose names contain it"))
      ->needs(option)
      ->allow_extra_args(false);
  command
      .add_option("--tune", tuneCandidates, tr("Look for each rung's tile first, with so many timings (default: 24)"))
      ->needs(option)
      ->expected(0, 1)
      ->default_str(std::to_string(kFewCandidates))
      ->check(CLI::Range(1, 10'000));
  command.add_flag("--counters", counters, tr("Also read each rung's hardware counters: DRAM's bytes, why warps wait"))
      ->needs(option);
  command.add_flag("--peers", shippedPeers, tr("Also cuDNN, through PyTorch where it is installed"))->needs(option);
  command
      .add_option("--peer", peers,
                  tr("Also another program, NAME=COMMAND, whose last line is its milliseconds; {size}, {precision}, "
                     "{steps} and the "
                     "names of the problem are replaced in it"))
      ->needs(option)
      ->allow_extra_args(false);
}

ExitCode benchSuite(const Catalogue& catalogue, const SuiteArguments& arguments, bool json) {
  const fs::path assets = resourceFolder("assets", HALOSCOPE_SOURCE_DIR);
  const LimitSuite suite = LimitSuite::named(arguments.suite, assets / "suites");
  const std::vector<LimitClass> classes = chosenClasses(suite, arguments.classes);
  std::vector<measuring::Peer> peers;
  for (const std::string& peer : arguments.peers) { peers.push_back(measuring::peerOf(peer)); }
  const Interruption interruption;  // before the driver starts its threads
  const gpu::DeviceSearch search = gpu::findDevice();
  if (!search.device) { throw MissingError(trf("bench needs an NVIDIA GPU: {}", search.missing)); }

  const gpu::DeviceProperties& properties = search.device->properties();
  measuring::GpuGate gate;
  work::Pool pool;
  measuring::SuiteRun run(search.device, gate, pool, measuring::TunedTiles::of(*search.device));
  if (!json) {
    trPrint(
        "{}, compute capability {}; GB/s: each point read once and each computed one written once a time step / "
        "median time\n",
        properties.name, properties.computeCapability());
  }
  std::optional<SuiteDocument> document;
  if (json) {
    document.emplace(Json{
        {"suite", suite.name},
        {"gpu", properties.name},
        {"compute_capability", properties.computeCapability()},
        {"driver", hardware::Sensors(*search.device).driverVersion()},
        {"compiler", search.device->compiler().versionText()},
        {"multiply_adds_per_ns", {{"float", run.peaks().fp32GFlops / 2}, {"double", run.peaks().fp64GFlops / 2}}}});
  }
  const measuring::SuiteOptions options{
      .tuneCandidates = arguments.tuneCandidates, .counters = arguments.counters, .stop = interruption.token()};
  bool right = true;
  std::string ended;
  for (const LimitClass& one : classes) {
    if (interruption.token().stop_requested()) { ended = tr("it was interrupted"); }
    if (!ended.empty()) { break; }
    const measuring::SuiteClass measured = run.measure(measuring::planClass(catalogue, one), options);
    std::vector<measuring::PeerTime> times;
    if (measured.problem.empty() && measured.complete) {
      if (arguments.shippedPeers && !one.peer.empty()) {
        times.push_back(measuring::timeShippedPeer(measured, (assets / "peers").string()));
      }
      for (const measuring::Peer& peer : peers) { times.push_back(measuring::timePeer(peer, measured)); }
    }
    right = right && measured.right() && measured.complete;
    ended = measured.lost;
    if (document) {
      document->add(classToJson(measured, times));
      printText(stderr, "haloscope: {}: {}\n", one.name, summaryOf(measured));
    } else {
      printClass(measured, times);
    }
  }
  if (document) { document->end(ended); }
  if (!ended.empty()) { printText(stderr, "haloscope: the suite was not finished: {}\n", ended); }
  return right && ended.empty() ? ExitCode::Good : ExitCode::Mismatch;
}

}  // namespace haloscope
