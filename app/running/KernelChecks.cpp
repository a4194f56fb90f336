#include "running/KernelChecks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "language/Text.h"
#include "running/KernelTexts.h"

namespace haloscope::running {

namespace {

/// A kernel's result, or what was computed from it, has reached the host.
struct Arrival {
  std::string symbol;
  std::size_t printed = 0;  ///< bytes of the output before it
};

std::vector<Arrival> arrivalsOf(const ProgramRun& run) {
  std::map<AllocationId, std::set<std::string>> contributors;
  std::vector<Arrival> arrivals;
  const auto isOfHost = [&](const DevicePlace& place) {
    return std::ranges::any_of(run.allocations, [&](const Allocation& one) {
      return one.id == place.allocation && one.memory != host::HostMemory::Device;
    });
  };
  for (const ProgramEvent& event : run.events) {
    using Kind = ProgramEvent::Kind;
    const auto arrive = [&](const std::set<std::string>& kernels) {
      for (const std::string& symbol : kernels) { arrivals.push_back({symbol, event.printed}); }
    };
    if (event.kind == Kind::Launch) {
      const ProgramLaunch& launch = run.launches.at(event.launch);
      std::set<std::string> all{launch.symbol};
      std::vector<const LaunchPointer*> used;
      for (const auto* pointers : {&launch.pointers, &launch.variables}) {
        for (const LaunchPointer& one : *pointers) {
          if (one.place) { used.push_back(&one); }
        }
      }
      for (const LaunchPointer* one : used) {
        if (one->reads) { all.merge(std::set(contributors[one->place->allocation])); }
      }
      for (const LaunchPointer* one : used) {
        if (!one->writes) { continue; }
        contributors[one->place->allocation] = all;
        if (isOfHost(*one->place)) { arrive(all); }
      }
    } else if (event.source && (event.kind == Kind::Copy || event.kind == Kind::Symbol)) {
      const std::set<std::string>& from = contributors[event.source->allocation];
      if (event.destination && !isOfHost(*event.destination)) {
        contributors[event.destination->allocation] = from;
      } else {
        arrive(from);
      }
    }
  }
  return arrivals;
}

enum class Letter : std::uint8_t { None, Lower, Upper, Digit };

Letter letterOf(char c) {
  const auto one = static_cast<unsigned char>(c);
  return std::isdigit(one) != 0   ? Letter::Digit
         : std::islower(one) != 0 ? Letter::Lower
         : std::isupper(one) != 0 ? Letter::Upper
                                  : Letter::None;
}

/// The words of a name or a text, in lower case: those of "blurTiled2" and "blur_tiled 2" are blur, tiled and 2.
std::set<std::string> wordsOf(const std::string& text) {
  std::set<std::string> words;
  std::string word;
  Letter last = Letter::None;
  for (const char c : text + ' ') {
    const Letter letter = letterOf(c);
    const bool begins = letter != last && !(last == Letter::Upper && letter == Letter::Lower);
    if (begins && !word.empty()) { words.insert(std::exchange(word, {})); }
    if (letter != Letter::None) { word += static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }
    last = letter;
  }
  return words;
}

/// Those of the kernels in whose names most words of the text are, if any is; words that all names have tell nothing.
std::set<std::string> namedIn(const std::string& text, const std::set<std::string>& symbols) {
  std::map<std::string, std::set<std::string>> names;
  std::map<std::string, std::size_t> uses;
  for (const std::string& symbol : symbols) {
    names[symbol] = wordsOf(qualifiedName(symbol));
    for (const std::string& word : names[symbol]) { ++uses[word]; }
  }
  const std::set<std::string> words = wordsOf(text);
  std::set<std::string> named;
  std::ptrdiff_t most = 1;
  for (const auto& [symbol, own] : names) {
    const std::ptrdiff_t count = std::ranges::count_if(
        own, [&](const std::string& word) { return uses[word] < symbols.size() && words.contains(word); });
    if (count < most) { continue; }
    if (count > most) { named.clear(); }
    most = count;
    named.insert(symbol);
  }
  return named;
}

/// Kernels that a line can be about, see checksOfKernels().
std::set<std::string> kernelsOf(const OwnCheck& check, const std::vector<Arrival>& arrivals,
                                const std::string& output) {
  std::set<std::string> arrived, since;
  for (const Arrival& one : arrivals) {
    if (one.printed > check.begin) { continue; }
    arrived.insert(one.symbol);
    if (one.printed >= check.before) { since.insert(one.symbol); }
  }
  const std::string heading = output.substr(check.before, check.begin - check.before);
  for (const std::string& text : {check.line, heading}) {
    if (std::set<std::string> named = namedIn(text, arrived); !named.empty()) { return named; }
  }
  return since.empty() ? arrived : since;
}

/// What the program prints of its results, and of which kernels. Nothing if not all launches were executed whole.
std::vector<std::pair<OwnCheck, std::set<std::string>>> checksIn(const ProgramRun& run) {
  std::vector<std::pair<OwnCheck, std::set<std::string>>> checks;
  if (!run.isWhole()) { return checks; }
  const std::vector<Arrival> arrivals = arrivalsOf(run);
  std::set<std::string> accepted;
  for (OwnCheck& check : ownChecksIn(run.output)) {
    // What it expects may hold at its own sizes alone.
    if (!check.passed && !run.sizes.empty()) { continue; }
    std::set<std::string> kernels = kernelsOf(check, arrivals, run.output);
    // What goes through a texture or a surface is not followed.
    if (!check.passed && kernels.empty()) {
      for (const ProgramLaunch& launch : run.launches) { kernels.insert(launch.symbol); }
    }
    // A kernel whose own result was right is not to blame for one that was computed from it.
    if (!check.passed && kernels.size() > 1) {
      std::erase_if(kernels, [&](const std::string& one) { return accepted.contains(one); });
    }
    if (check.passed && kernels.size() == 1) { accepted.merge(std::set(kernels)); }
    checks.emplace_back(std::move(check), std::move(kernels));
  }
  return checks;
}

/// A comparison on the host of what was never copied to it fails, however right the kernel is.
void blameMissingCopies(ProgramRun& run) {
  for (const auto& [check, kernels] : checksIn(run)) {
    if (check.passed || check.measured || kernels.empty()) { continue; }
    std::vector<HostFinding*> causes;
    const bool all = std::ranges::all_of(kernels, [&](const std::string& symbol) {
      bool known = false;
      for (HostFinding& one : run.findings) {
        if (one.kind != HostFindingKind::NeverCopiedBack) { continue; }
        const bool isIts = std::ranges::any_of(
            run.launches, [&](const ProgramLaunch& launch) { return launch.symbol == symbol && launch.at == one.at; });
        if (isIts) { causes.push_back(&one); }
        known = known || isIts;
      }
      return known;
    });
    if (!all) { continue; }
    for (HostFinding* const one : causes) {
      if (one->kind == HostFindingKind::ResultMissing) { continue; }
      one->kind = HostFindingKind::ResultMissing;
      one->message += trf(" The program compares without it, and its comparison fails ({}).", check.line);
    }
  }
}

bool isFault(const HostFinding& one) { return rowOf(one.kind).fault; }

}  // namespace

std::map<std::string, OwnCheck> checksOfKernels(const ProgramRun& run) {
  std::map<std::string, std::vector<OwnCheck>> all;
  for (const auto& [check, kernels] : checksIn(run)) {
    if (!check.passed && kernels.size() > 1) { continue; }
    for (const std::string& symbol : kernels) { all[symbol].push_back(check); }
  }
  std::map<std::string, OwnCheck> checks;
  for (const auto& [symbol, own] : all) { checks.emplace(symbol, *mostTelling(own)); }
  return checks;
}

void addOwnCheck(ProgramRun& run) {
  blameMissingCopies(run);
  if (std::ranges::any_of(run.findings, isFault)) { return; }
  for (auto& [check, kernels] : checksIn(run)) {
    if (check.passed || check.measured) { continue; }
    bool explained = false;
    std::map<std::string, ProgramLaunch*> lasts;
    for (ProgramLaunch& launch : run.launches) {
      if (!kernels.contains(launch.symbol)) { continue; }
      explained = explained || !launch.findings.empty() || launch.program == nullptr;
      if (!launch.ownFunction.empty()) { kernels.erase(launch.symbol); }
      lasts[launch.symbol] = &launch;
    }
    if (explained || kernels.size() != 1) { continue; }
    ProgramLaunch& last = *lasts.at(*kernels.begin());
    const bool only = std::ranges::all_of(run.launches, [&](const auto& one) { return one.symbol == last.symbol; });
    faults::Finding finding;
    finding.kind = faults::FindingKind::WrongResult;
    finding.where = last.program->kernelRange;
    finding.where.endLine = finding.where.line;
    finding.shownBy = trf("the program's own comparison ({})", check.line);
    finding.message = trf(
        "the program's own comparison fails ({}), and {} is {}; if the kernel is right, look at what the host passes "
        "to it and compares with",
        check.line, last.kernel, only ? tr("its only kernel") : tr("the kernel that it is about"));
    last.findings.push_back(std::move(finding));
  }
}

bool explainsOwnCheck(const ProgramRun& run) {
  return std::ranges::any_of(run.launches, [](const ProgramLaunch& one) { return !one.findings.empty(); }) ||
         std::ranges::any_of(run.findings, isFault);
}

std::string rejection(const ProgramRun& run) {
  if (!run.ownCheck || run.ownCheck->passed || !run.isWhole() || !run.sizes.empty()) { return {}; }
  std::string text = run.ownCheck->line.empty()
                         ? trf("The program ends with status {} and does not say why, although all calls and "
                               "launches succeeded: it seems to reject its result.",
                               run.status)
                         : trf("The program's own comparison fails ({}).", run.ownCheck->line);
  if (explainsOwnCheck(run)) { return text; }
  std::set<std::string> open, known;
  for (const ProgramLaunch& launch : run.launches) {
    (launch.ownFunction.empty() ? open : known).insert(launch.kernel);
  }
  std::erase_if(open, [&](const std::string& one) { return known.contains(one); });
  if (open.empty()) {
    return trf("{} The kernels compute what its own functions do: look at what the host passes to them and compares.",
               text);
  }
  return trf(
      "{} What is wrong is not known: {} {} no reference. A function of the host that is called with the same data is "
      "one, and so is a kernel that --reference FILE.cu[:KERNEL] names.",
      text, fmt::join(open, ", "), open.size() == 1 ? tr("has") : tr("have"));
}

}  // namespace haloscope::running
