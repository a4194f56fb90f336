#include "running/EndSentence.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <string>
#include <vector>

#include "language/Text.h"
#include "program/NumberText.h"
#include "running/CudaErrors.h"
#include "running/HostFindings.h"

namespace haloscope::running {

namespace {

/// The end of a sentence that says how many launches there were: `left` of them were not executed.
std::string notExecutedText(std::size_t left, std::size_t all) {
  if (left == 0) { return {}; }
  if (left == all) { return all == 1 ? tr(", which was not executed") : tr(", none of which was executed"); }
  return trn(", {} of which was not executed", ", {} of which were not executed", left, grouped(left));
}

std::string missingArgumentSentence(const std::vector<std::string>& given, std::size_t wanted) {
  const std::size_t count = given.size() - 1;
  const std::string had =
      count == 0 ? tr("no argument was given") : trn("{} argument was given", "{} arguments were given", count, count);
  std::string known;
  for (std::size_t i = 1; i < given.size(); ++i) { known += given[i] + " "; }
  return trf("The program reads argv[{}], and {}: give it after --, for example `haloscope check {} -- {}64`.", wanted,
             had, given.front(), known);
}

}  // namespace

std::string exitSentence(const ProgramRun& run) {
  const std::size_t all = run.launches.size();
  const auto left = static_cast<std::size_t>(std::ranges::count(run.launches, false, &ProgramLaunch::executed));
  return trn("The program ended with status {} after {} launch{}.",
             "The program ended with status {} after {} launches{}.", all, run.status, grouped(all),
             notExecutedText(left, all));
}

std::string wantedInput(const std::vector<std::string>& given, std::size_t missed,
                        const std::vector<RefusedFile>& files, bool followsNull) {
  if (missed >= given.size()) { return missingArgumentSentence(given, missed); }
  const auto isWanted = [&](const RefusedFile& file) {
    using process::FileRefusal;
    return !file.writes() && !(followsNull && (file.how == FileRefusal::Looking || file.how == FileRefusal::Made));
  };
  const auto file = std::ranges::find_if(files, isWanted);
  return file == files.end() ? std::string() : sentence(*file);
}

std::string wantedSizes(const ProgramRun& run, const std::vector<std::string>& given) {
  const auto dependsOnSize = [&](const ProgramEvent& event) {
    using Kind = ProgramEvent::Kind;
    if (event.error == kSuccess) { return false; }
    if (event.kind != Kind::Launch) {
      return event.kind == Kind::Allocate || event.kind == Kind::Copy || event.kind == Kind::Fill;
    }
    const LaunchConfiguration& launch = run.launches[event.launch].configuration;
    return launch.grid.count() == 0 || launch.block.count() == 0;
  };
  return std::ranges::any_of(run.events, dependsOnSize) ? wantedInput(given, 0, run.refusedFiles, true) : std::string();
}

void eraseFailedCalls(ProgramRun& run) {
  std::erase_if(run.findings, [&](const HostFinding& finding) {
    return std::ranges::any_of(
        run.events, [&](const ProgramEvent& event) { return event.error != kSuccess && event.at == finding.at; });
  });
}

std::string sentence(const host::Crashed& crash, bool isAllocated) {
  if (!crash.freedBy.empty()) {
    if (!isAllocated) {
      return trf("{} is given an address that no allocation returned: a pointer that was not set, or is damaged.",
                 crash.freedBy);
    }
    return trf("{} is given {}: free it with {}.", crash.freedBy,
               crash.deviceAddress ? tr("a pointer to the device's memory") : tr("memory of the CUDA runtime"),
               crash.deviceAddress ? "cudaFree" : tr("cudaFree, or cudaFreeHost after cudaMallocHost"));
  }
  switch (crash.signal) {
    case SIGSEGV:
    case SIGBUS:
      if (crash.deviceAddress) {
        return tr("Host code follows a pointer to the device's memory; copy the data with cudaMemcpy.");
      }
      if (crash.stackOverflow) {
        return tr("The stack overflows: a recursion that does not end, or a very large local array.");
      }
      return crash.address < 4096 ? tr("Host code follows a null pointer.")
                                  : tr("Host code accesses memory that it does not have (segmentation fault).");
    case SIGFPE:
      return tr("Host code divides an integer by zero.");
    case SIGABRT:
      return tr("The program aborts: abort(), a failed assertion, or the C library found its heap damaged.");
    default:
      return trf("The program ends by signal {} ({}).", crash.signal, strsignal(crash.signal));
  }
}

std::string sentence(const ProgramEvent& copy, const DeviceMemory& memory, const host::Crashed& crash,
                     std::uint64_t begin) {
  constexpr std::uint64_t kPage = 4096;
  const bool writes = copy.source && !copy.destination;
  // An array that is too short has its first page.
  if (crash.address / kPage == begin / kPage) {
    return trf(
        "The copy {} the host at address {:#x}, where the program has no memory (segmentation fault): the host's "
        "pointer was not set, or its memory was freed.",
        writes ? tr("writes to") : tr("reads from"), begin);
  }
  const std::optional<DevicePlace>& device = copy.destination ? copy.destination : copy.source;
  const std::string ofDevice =
      device ? trf(", the array of the device has {}", bytesText(memory.at(device->allocation).size)) : "";
  return trf(
      "The copy {} {} of the host's memory, and fewer are there (segmentation fault){}: its count is in bytes, and "
      "must not be larger than either array.",
      writes ? tr("writes") : tr("reads"), bytesText(copy.bytes), ofDevice);
}

std::string sentence(const host::Uncaught& exception) {
  const std::string what = exception.message.empty() ? "" : fmt::format(" ({})", exception.message);
  return exception.type.empty() ? tr("The program called std::terminate().")
                                : trf("Nothing catches an exception of type {}{}.", exception.type, what);
}

std::string shortened(std::string sentence, std::size_t most) {
  if (sentence.size() <= most) { return sentence; }
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(sentence[end]) & 0xc0U) == 0x80U) { --end; }
  return sentence.substr(0, end) + "…";
}

}  // namespace haloscope::running
