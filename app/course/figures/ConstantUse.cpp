#include "figures/ConstantUse.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/SourceTokens.h"

namespace haloscope::figures {

namespace {

/// The line of the first call that copies to this symbol, outside comments; 0 if there is none.
int lineOfCopy(const std::vector<frontend::SourceToken>& tokens, const std::string& symbol) {
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    const std::string_view call = tokens[i].spelling;
    if ((call != "cudaMemcpyToSymbol" && call != "cudaMemcpyToSymbolAsync") || tokens[i + 1].spelling != "(") {
      continue;
    }
    // The symbol is the first argument: filter, ::filter, coefficients::filter.
    std::size_t at = i + 2;
    while (at + 1 < tokens.size() && tokens[at + 1].spelling != "," && tokens[at + 1].spelling != ")") { ++at; }
    if (tokens[at].spelling == symbol) { return tokens[i].line; }
  }
  return 0;
}

double ratio(std::uint64_t part, std::uint64_t all) {
  return all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all);
}

std::optional<GlobalWeights> globalWeights(const experiment::Experiment& experiment) {
  if (!experiment.file.computes) { return std::nullopt; }
  const Program& program = *experiment.program;
  const std::string& name = experiment.file.computes->weights;
  const ObjectId object = program.findObject(name);
  if (object == kNone || program.objects[object].space != MemorySpace::Global) { return std::nullopt; }
  const ArrayData& data = experiment.launch->arrays[object];
  return GlobalWeights{name, data.elementCount() * sizeInMemory(data.element),
                       experiment.grid.objects[object].loadBytes, experiment.grid.traffic.globalLoad};
}

}  // namespace

double ConstantUse::passesPerRequest() const { return ratio(passes, requests); }

double ConstantLine::passesPerRequest() const { return ratio(passes, requests); }

double GlobalWeights::share() const { return ratio(loadBytes, allLoadBytes); }

ConstantUse constantUse(const experiment::Experiment& experiment) {
  const Program& program = *experiment.program;
  ConstantUse use;
  const frontend::SourceTokens source(experiment.file.text);
  for (ObjectId object = 0; object < program.objects.size(); ++object) {
    const MemoryObject& one = program.objects[object];
    // Arrays in a struct passed by value are in constant memory too, but not in the 64 KB for __constant__ variables.
    if (one.space != MemorySpace::Constant || one.argument != kNone) { continue; }
    const bool counted = object < experiment.grid.objects.size();
    use.arrays.push_back({one.name, one.elementCount(), one.byteCount(),
                          counted ? experiment.grid.objects[object].loads : 0, !one.initial.empty(),
                          lineOfCopy(source.code(), one.name)});
    use.bytes += one.byteCount();
  }
  use.requests = experiment.requests.all.constantRequests;
  use.passes = experiment.requests.all.constantPasses;
  std::map<int, ConstantLine> lines;
  for (std::size_t i = 0; i < experiment.requests.instructions.size(); ++i) {
    const analysis::RequestTotals& totals = experiment.requests.instructions[i];
    if (totals.constantRequests == 0) { continue; }
    const int line = program.code[i].range.line;
    ConstantLine& sum = lines[line];
    sum.line = line;
    sum.requests += totals.constantRequests;
    sum.passes += totals.constantPasses;
  }
  for (const auto& [number, line] : lines) { use.lines.push_back(line); }
  if (use.arrays.empty()) { use.weights = globalWeights(experiment); }
  return use;
}

}  // namespace haloscope::figures
