#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "CoveringDesign.h"
#include "KernelCatalogue.h"
#include "Sampled.h"
#include "catalogue/BugLab.h"
#include "checking/Check.h"
#include "experiment/Experiment.h"
#include "experiment/InputData.h"
#include "faults/FaultChecks.h"

namespace haloscope {
namespace {

faults::FaultReport faultsOf(const KernelFile& file, const Bindings& bindings) {
  const Program program = experiment::compile(file, bindings);
  Launch launch = experiment::makeLaunch(file, bindings, program, experiment::InputKind::Random);
  faults::FaultOptions options;
  options.undefined = {program.findObject(file.computes->output)};
  return faults::findFaults(program, launch, options);
}

/// The catalogue must be free of findings, at sizes that blocks divide and at sizes that they do not.
class FaultFreeTest : public ::testing::Test {
 protected:
  static void expectNone(const KernelFile& file, const Bindings& bindings) {
    const checking::CheckReport report = checking::check(file, bindings);
    // Of a few points all may be alike, which proves nothing: cells that die together, or points of the border alone.
    const bool few = std::ranges::any_of(file.sizes, [&](const auto& size) { return bindings.at(size.name) < 16; });
    if (!few || report.evidence.matches()) { EXPECT_EQ(report.evidence.matches(), true) << file.id; }
    for (const faults::Finding& finding : report.findings) {
      std::string at;
      for (const auto& [name, value] : bindings) { at += " " + name + "=" + std::to_string(value); }
      ADD_FAILURE() << file.id << at << ": " << finding.message;
    }
  }
};

constexpr std::array<std::int64_t, 6> kEdges{19, 1, 2, 3, 4, 5};

/// The bindings with all sizes equal, or empty if the tunables allow no launch.
std::optional<Bindings> launchable(const KernelFile& file, Bindings bindings, std::int64_t edge) {
  for (const SizeParameter& size : file.sizes) { bindings[size.name] = edge; }
  try {
    const Bindings bound = file.bind(bindings);
    static_cast<void>(file.configuration(bound));
    return bound;
  } catch (const InputError&) {
    return std::nullopt;  // no such block
  }
}

class FaultFreeVariant : public FaultFreeTest, public ::testing::WithParamInterface<std::string> {};

TEST_P(FaultFreeVariant, AtManyTileSizesAndAtSizesThatDoNotDivide) {
  const KernelFile& file = test::catalogue().at(GetParam());
  std::vector<Bindings> launches;
  if (test::isThorough()) {
    for (const Tunable& tunable : file.tunables) {
      for (const std::int64_t value : test::tileSizesOf(file, tunable)) {
        for (const std::int64_t edge : kEdges) {
          Bindings tile = file.defaults();
          tile[tunable.name] = value;
          if (const auto bound = launchable(file, tile, edge)) { launches.push_back(*bound); }
        }
      }
    }
  } else {
    // Each variant at the size that does not divide, and at two of the others.
    const std::size_t turn = test::turnOf(file), others = kEdges.size() - 1;
    const std::vector<std::int64_t> edges{kEdges[0], kEdges.at(1 + turn % others), kEdges.at(1 + (turn + 2) % others)};
    for (const Bindings& tile : test::coveringLaunches(file, turn, edges, 0, false)) {
      launches.push_back(file.bind(tile));
    }
    test::sayTried(edges.size(), kEdges.size(), "sizes");
  }
  EXPECT_FALSE(launches.empty());
  test::eachLaunch(launches, [&](const Bindings& bindings) { expectNone(file, bindings); });
}

INSTANTIATE_TEST_SUITE_P(Catalogue, FaultFreeVariant, ::testing::ValuesIn(test::catalogueIds()),
                         [](const auto& variant) {
                           std::string name = variant.param;
                           std::ranges::replace(name, '/', '_');
                           return name;
                         });

TEST_F(FaultFreeTest, EveryVariantAtItsDefaultsAndLargerSizes) {
  const Catalogue& catalogue = test::catalogue();
  for (const KernelFile& file : catalogue.kernels()) {
    for (const std::int64_t edge : {16, 23, 33}) { expectNone(file, launchable(file, file.defaults(), edge).value()); }
  }
}

/// Different width and height reveal swapped axes.
TEST_F(FaultFreeTest, EveryVariantOnGridsThatAreNotSquare) {
  const Catalogue& catalogue = test::catalogue();
  for (const KernelFile& file : catalogue.kernels()) {
    if (file.sizes.size() < 2) { continue; }
    for (const auto& [first, second] : {std::pair(1, 37), std::pair(37, 1), std::pair(5, 18), std::pair(31, 2)}) {
      Bindings bindings = file.defaults();
      bindings[file.sizes[0].name] = first;
      bindings[file.sizes[1].name] = second;
      expectNone(file, file.bind(bindings));
    }
  }
}

/// The corrected twins of the bug lab under all checks, at sizes other than their defaults.
TEST_F(FaultFreeTest, EveryCorrectTwinAtSmallSizes) {
  const BugLab lab = BugLab::read(HALOSCOPE_SOURCE_DIR "/assets/buglab");
  for (const BugTask& task : lab.tasks()) {
    for (const std::int64_t edge : {1, 2, 3, 4, 5, 13, 34}) {
      Bindings sizes;
      for (const SizeParameter& size : task.fixed.sizes) {
        sizes[size.name] = std::clamp(edge, size.minimum, size.maximum);
      }
      const checking::CheckReport report = checking::check(task.fixed, sizes);
      for (const faults::Finding& finding : report.findings) {
        ADD_FAILURE() << task.id << " at " << edge << ": " << finding.message;
      }
      // Where all points are at the border, nothing is compared.
      const bool few = edge < 13 && !report.evidence.matches();
      if (task.fixed.computes && !few) { EXPECT_EQ(report.evidence.matches(), true) << task.id << " at " << edge; }
    }
  }
}

TEST(FaultsOfVariantsTest, NoBarrierCanBeSpared) {
  const std::string barrier = "__syncthreads();";
  const Catalogue& catalogue = test::catalogue();
  int barriers = 0;
  for (const KernelFile& file : catalogue.kernels()) {
    for (std::size_t at = file.text.find(barrier); at != std::string::npos; at = file.text.find(barrier, at + 1)) {
      // What init() writes belongs to the barrier object, not to an array.
      if (file.text.rfind("init(&", at) != std::string::npos && file.text.rfind("init(&", at) + 80 > at) { continue; }
      ++barriers;
      KernelFile mutant = file;
      mutant.text.replace(at, barrier.size(), std::string(barrier.size(), ' '));
      faults::FaultReport report;
      for (const std::int64_t edge : {20, 21}) {  // some barriers are passed only where vectors do not divide the rows
        Bindings bindings = file.defaults();
        for (const SizeParameter& size : file.sizes) { bindings[size.name] = edge; }
        report = faultsOf(mutant, bindings);
        if (!report.findings.empty()) { break; }
      }
      const auto line = 1 + std::count(file.text.begin(), file.text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
      SCOPED_TRACE(file.id + " without its barrier at line " + std::to_string(line));
      ASSERT_FALSE(report.findings.empty());
      std::set<ObjectId> arrays;
      for (const faults::Finding& finding : report.findings) {
        EXPECT_TRUE(arrays.insert(finding.object).second) << "one mistake, several findings: " << finding.message;
        EXPECT_EQ(finding.kind, faults::FindingKind::RaceShared) << finding.message;
        // The first barrier of these orders zeros, which no result is computed from.
        if (!file.id.starts_with("beyond/3d_7_time")) { EXPECT_GT(finding.outputCount, 0U) << finding.message; }
      }
    }
  }
  EXPECT_GE(barriers, 7);
}

}  // namespace
}  // namespace haloscope
