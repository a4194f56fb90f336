#include "experiment/BarrierEffect.h"

#include <cstring>
#include <utility>

namespace haloscope::experiment {

namespace {

/// Warp instruction limit of a run: a longer block is too slow to be run a dozen times for one picture.
constexpr std::uint64_t kTrialBudget = 5'000'000;
constexpr std::uint64_t kSeeds = 8;

/// The output array after a run of the block, executed statement by statement as in a recording.
std::optional<ArrayData> outputOf(const BarrierTrial& trial, const Program& program, simt::WarpOrder order,
                                  std::uint64_t seed, const std::stop_token& stop) {
  Launch launch = trial.launch;
  simt::ExecuteOptions options;
  options.schedule = simt::Schedule::Statement;
  options.order = order;
  options.orderSeed = seed;
  options.workers = 1;
  options.onlyBlocks = {linear(trial.block, launch.configuration.grid)};
  options.instructionBudget = kTrialBudget;
  options.stop = stop;
  const simt::ExecuteResult result = simt::execute(program, launch, {}, options);
  if (result.outcome != simt::Outcome::Finished) { return std::nullopt; }
  return std::move(launch.arrays.at(trial.output));
}

std::vector<OutputDifference> differences(const ArrayData& expected, const ArrayData& computed) {
  std::vector<OutputDifference> found;
  const auto size = static_cast<std::size_t>(sizeInMemory(expected.element));
  for (std::size_t at = 0; at + size <= expected.bytes.size(); at += size) {
    if (std::memcmp(expected.bytes.data() + at, computed.bytes.data() + at, size) == 0) { continue; }
    OutputDifference difference{static_cast<std::int64_t>(at / size), 0};
    std::memcpy(&difference.expected, expected.bytes.data() + at, size);
    found.push_back(difference);
  }
  return found;
}

}  // namespace

std::optional<BarrierEffect> barrierEffect(const BarrierTrial& trial, simt::WarpOrder order, std::uint64_t seed,
                                           const std::stop_token& stop) {
  const auto expected = outputOf(trial, trial.with, simt::WarpOrder::SideBySide, 0, stop);
  const auto computed = expected ? outputOf(trial, trial.without, order, seed, stop) : std::nullopt;
  if (!computed) { return std::nullopt; }
  BarrierEffect effect;
  effect.differences = differences(*expected, *computed);
  if (!effect.differences.empty()) { return effect; }

  using simt::WarpOrder;
  std::vector<std::pair<WarpOrder, std::uint64_t>> others = {
      {WarpOrder::InOrder, 0}, {WarpOrder::Reversed, 0}, {WarpOrder::Adversarial, 0}};
  for (std::uint64_t other = 0; other < kSeeds; ++other) { others.emplace_back(WarpOrder::Random, other); }
  for (const auto& [otherOrder, otherSeed] : others) {
    if (otherOrder == order && (order != WarpOrder::Random || otherSeed == seed)) { continue; }
    const auto other = outputOf(trial, trial.without, otherOrder, otherSeed, stop);
    if (!other) { continue; }
    ++effect.ordersTried;
    if (const std::size_t count = differences(*expected, *other).size(); count > 0) {
      effect.revealing = RevealingOrder{otherOrder, otherSeed, count};
      break;
    }
  }
  return effect;
}

}  // namespace haloscope::experiment
