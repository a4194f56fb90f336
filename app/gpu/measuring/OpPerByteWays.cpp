#include "measuring/OpPerByteWays.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "language/Text.h"
#include "program/NumberText.h"

namespace haloscope::measuring {

namespace {

std::string quotient(std::uint64_t flops, std::uint64_t bytes) {
  return trf("{} flops / {} B", grouped(flops), grouped(bytes));
}

std::uint64_t whole(double number) { return static_cast<std::uint64_t>(std::llround(number)); }

/// "N = 320, IN_TILE_DIM = 8"
std::string launchText(const HardwareReading& reading) {
  std::string text;
  for (const auto& [name, value] : reading.bindings) {
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, value);
  }
  return text;
}

/// Blocks with a neighbour on every side along the axes that have more than one.
std::uint64_t interiorBlocks(const Dim3& grid) {
  if (grid.count() <= 1) { return 0; }  // it touches the border on every side
  std::uint64_t count = 1;
  for (const std::uint32_t blocks : {grid.x, grid.y, grid.z}) {
    if (blocks > 1) { count *= blocks - 2; }
  }
  return count;
}

bool differ(double a, double b) { return std::abs(a - b) > 0.005 * std::max(std::abs(a), std::abs(b)); }

}  // namespace

bool hasInteriorBlock(const experiment::Experiment& experiment) {
  // A larger grid than the program's is none that it launches.
  if (experiment.launchData && interiorBlocks(experiment.configuration.grid) == 0) { return false; }
  const bool withoutSizes = experiment.bindings.empty() && !experiment.fault;
  return withoutSizes || !experiment.counts.interiorBindings.empty();
}

std::vector<OpPerByteWay> opPerByteWays(const experiment::Experiment& experiment, const HardwareReading* reading) {
  using Kind = OpPerByteWay::Kind;
  const experiment::OpPerByte& opPerByte = experiment.opPerByte;
  const experiment::LaunchCounts& counts = experiment.counts;
  std::vector<OpPerByteWay> ways;
  if (opPerByte.formula && experiment.file.opPerByte) {
    ways.push_back({Kind::Formula,
                    tr("book formula"),
                    *opPerByte.formula,
                    {experiment.file.opPerByte->text(), experiment.file.book}});
  }
  if (hasInteriorBlock(experiment)) {
    ways.push_back({Kind::InteriorBlock,
                    interiorBlocks(experiment.configuration.grid) > 0 ? tr("interior block") : tr("larger grid"),
                    opPerByte.interiorBlock,
                    {tr("floating-point operations that one interior block executed"),
                     interiorBlocks(experiment.configuration.grid) > 0
                         ? tr("per byte it loaded from global memory")
                         : tr("per byte it loaded from global memory: of a larger "
                              "grid, since none of this grid's blocks is interior")}});
  }
  std::string others = trf("with stores counted as well {:.4g}", opPerByte.withStores);
  if (hasInteriorBlock(experiment)) { others += trf("; an interior block alone {:.4g}", opPerByte.interiorBlock); }
  ways.push_back(
      {Kind::WholeGrid,
       tr("whole grid"),
       opPerByte.executed,
       {quotient(counts.flops, counts.globalLoadBytes), tr("all blocks, global memory loads only"), others}});
  ways.push_back({Kind::WithStores,
                  tr("loads + stores"),
                  opPerByte.withStores,
                  {quotient(counts.flops, counts.globalLoadBytes + counts.globalStoreBytes),
                   trf("all blocks, {} B loaded and {} B stored", grouped(counts.globalLoadBytes),
                       grouped(counts.globalStoreBytes))}});
  if (reading == nullptr) { return ways; }
  const hardware::Counters& hardware = reading->counters;
  const std::string where = trf("{}, {}: the emulator counts {:.4g} OP/B there, loads only", reading->gpu,
                                launchText(*reading), reading->executedOpPerByte());
  if (reading->dramOpPerByte() > 0) {
    ways.push_back({Kind::Dram,
                    tr("DRAM, counted"),
                    reading->dramOpPerByte(),
                    {quotient(reading->flops, whole(hardware.dramBytes())),
                     trf("hardware counters: DRAM read {} and wrote {}", byteText(whole(hardware.dramReadBytes)),
                         byteText(whole(hardware.dramWrittenBytes))),
                     where}});
  }
  if (reading->impliedOpPerByte() > 0) {
    ways.push_back({Kind::Time,
                    tr("from the time"),
                    reading->impliedOpPerByte(),
                    {quotient(reading->flops, whole(reading->milliseconds * 1e6 * reading->copyGBs)),
                     trf("the bytes that a copy, at {:.0f} GB/s, moves in the {:.4f} ms that a sweep takes",
                         reading->copyGBs, reading->milliseconds),
                     where}});
  }
  return ways;
}

OpPerByteExplanation explainOpPerByte(const experiment::Experiment& experiment) {
  const experiment::OpPerByte& opPerByte = experiment.opPerByte;
  OpPerByteExplanation result;
  if (!hasInteriorBlock(experiment)) {
    result.line = experiment.fault        ? tr("an interior block has a fault and is not counted")
                  : experiment.launchData ? tr("this launch has no interior block")
                                          : tr("no size has interior blocks");
    result.full = result.line;
    return result;
  }
  if (opPerByte.formula && differ(*opPerByte.formula, opPerByte.interiorBlock)) {
    result.line =
        trf("the formula gives {:.2f}, an interior block executes {:.2f}", *opPerByte.formula, opPerByte.interiorBlock);
    result.full = trf("An interior block executes {:.4g} OP/B; the formula gives {:.4g}. ", opPerByte.interiorBlock,
                      *opPerByte.formula);
  }
  const std::uint64_t blocks = experiment.configuration.grid.count();
  if (!differ(opPerByte.interiorBlock, opPerByte.executed) || blocks == 0) { return result; }
  const std::uint64_t border = blocks - interiorBlocks(experiment.configuration.grid);
  const std::uint64_t flops = experiment.counts.flops / blocks;
  const std::uint64_t bytes = experiment.counts.globalLoadBytes / blocks;
  if (blocks == 1) {
    if (result.line.empty()) {
      result.line = trf("the only block is at the border: {} flops on {} B", grouped(flops), grouped(bytes));
    }
    result.full += trf("Here {:.4g} OP/B: the only block lies at the border. It executes {} flops and loads {} B.",
                       opPerByte.executed, grouped(flops), grouped(bytes));
    return result;
  }
  if (result.line.empty()) {
    result.line = trf("{} of {} blocks at the border: a block averages {} flops on {} B", grouped(border),
                      grouped(blocks), grouped(flops), grouped(bytes));
  }
  result.full += trf(
      "Over the whole grid {:.4g} OP/B: the {} of its {} blocks that lie at the border are counted too. On average a "
      "block executes {} flops and loads {} B.",
      opPerByte.executed, grouped(border), grouped(blocks), grouped(flops), grouped(bytes));
  return result;
}

}  // namespace haloscope::measuring
