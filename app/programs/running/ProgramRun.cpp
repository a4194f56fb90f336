#include "running/ProgramRun.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "host/RuntimePictures.h"
#include "language/Text.h"
#include "running/Conductor.h"
#include "running/GivenMacros.h"
#include "running/KernelChecks.h"
#include "running/LaunchSequence.h"
#include "running/MissingResults.h"
#include "running/OwnCheck.h"
#include "running/SmallerRun.h"
#include "running/UnwrittenCopies.h"
#include "work/Deadline.h"

namespace haloscope::running {

bool ProgramRun::faultless() const {
  const auto fault = [](const HostFinding& one) { return rowOf(one.kind).fault; };
  return end == ProgramEnd::Exited && std::ranges::none_of(findings, fault) &&
         std::ranges::none_of(ownChecks, &OwnCheck::fails) &&
         std::ranges::all_of(launches, [](const ProgramLaunch& one) {
           return one.executed && one.problem.empty() && one.findings.empty();
         });
}

bool ProgramRun::isWhole() const {
  return end == ProgramEnd::Exited &&
         std::ranges::all_of(launches, [](const ProgramLaunch& one) { return running::isWhole(one); });
}

std::vector<opening::ExecutedLaunch> ProgramRun::facts() const {
  std::vector<opening::ExecutedLaunch> all;
  for (const ProgramLaunch& launch : launches) {
    const bool known = std::ranges::find(all, launch.symbol, &opening::ExecutedLaunch::symbol) != all.end();
    if (launch.executed && !known) { all.push_back(launch.facts); }
  }
  return all;
}

std::string sentence(const RefusedFile& file) {
  using process::FileRefusal;
  switch (file.how) {
    case FileRefusal::Writing:
      return trf("The program writes {}: what it writes goes nowhere, and no file is made.", file.name);
    case FileRefusal::TooOften:
      return trf(
          "The program opens {} more than {} times, which is as often as a file can be opened here: "
          "read it once and keep what it holds.",
          file.name, process::kOpeningsOfAFile);
    case FileRefusal::Made:
      return trf("{} is not there: a picture of {} × {} was made for it; --file {}=PATH gives the program yours.",
                 file.name, host::kMadeWidth, host::kMadeHeight, file.name);
    default:
      return trf("The program {} {}, which is not available to it: give it a copy with --file {}=PATH.",
                 file.how == FileRefusal::Looking ? tr("looks for") : tr("opens"), file.name, file.name);
  }
}

std::uint32_t devicesFor(const host::HostProgram& program) {
  const auto movesBetween = [](const std::string& text) {
    return std::ranges::any_of(std::array{"nccl.h", "cudaMemcpyPeer", "cudaDeviceEnablePeerAccess"},
                               [&](const char* word) { return text.find(word) != std::string::npos; });
  };
  const bool any =
      std::ranges::any_of(program.files, [&](const host::HostProgram::File& one) { return movesBetween(one.text); }) ||
      std::ranges::any_of(program.headers, [&](const auto& one) { return movesBetween(one.second); });
  return any ? 2 : 1;
}

double predictedSeconds(const ProgramLaunch& launch, const RunDevice& device) {
  const double memory = device.bytesPerSecond > 0 ? static_cast<double>(launch.arrayBytes) / device.bytesPerSecond : 0;
  const double units = device.flopsPerSecond > 0 ? static_cast<double>(launch.flops) / device.flopsPerSecond : 0;
  return std::max(memory, units);
}

ProgramRun run(const host::HostProgram& program, const RunOptions& options) {
  const host::HostProgram given = withGivenMacros(program);
  const work::Deadline deadline(options.budget.whole(), options.stop);
  RunOptions limited = options;
  limited.stop = deadline.token();
  ProgramRun whole = options.keepLaunch ? runAsItIs(given, limited, false) : runAtFittingSizes(given, limited);
  if (whole.end == ProgramEnd::Stopped && deadline.passed() && !options.stop.stop_requested() && !whole.kept) {
    whole.end = ProgramEnd::TooLong;
    whole.message = trf("The program did not end within {:g} s, with its compilation and all that it waited for.",
                        std::chrono::duration<double>(options.budget.whole()).count());
  }
  if (options.keepLaunch) { return whole; }
  findMissingResults(whole, given, limited);
  findOwnChecks(whole, given, limited);
  withdrawAccepted(whole);
  withdrawMeant(whole);
  addRejected(whole);
  addUnwrittenCopies(whole, given, limited);
  addOwnChecks(whole);
  return whole;
}

}  // namespace haloscope::running
