#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "analysis/FaultChecks.h"
#include "experiment/Experiment.h"
#include "experiment/InputData.h"
#include "program/Catalogue.h"

namespace haloscope {
namespace {

analysis::FaultReport faultsOf(const KernelFile& file, const Bindings& bindings) {
  const Program program = experiment::compile(file, bindings);
  Launch launch = experiment::makeLaunch(file, bindings, program, experiment::InputKind::Random);
  analysis::FaultOptions options;
  options.undefined = {program.findObject(file.computes->output)};
  return analysis::findFaults(program, launch, options);
}

/// What ships must be free of faults, at sizes that divide and at sizes that do not.
class FaultFreeTest : public ::testing::Test {
 protected:
  static void expectNone(const KernelFile& file, const Bindings& bindings) {
    const analysis::FaultReport report = faultsOf(file, bindings);
    EXPECT_EQ(report.result.outcome, simt::Outcome::Finished);
    for (const analysis::Finding& finding : report.findings) {
      std::string at;
      for (const auto& [name, value] : bindings) { at += " " + name + "=" + std::to_string(value); }
      ADD_FAILURE() << file.id << at << ": " << finding.message;
    }
  }
};

TEST_F(FaultFreeTest, EveryVariantAtEveryTileSize) {
  const Catalogue catalogue = Catalogue::read(std::filesystem::path(HALOSCOPE_SOURCE_DIR) / "kernels");
  for (const KernelFile& file : catalogue.kernels()) {
    for (const Tunable& tunable : file.tunables) {
      const std::int64_t step = tunable.maximum - tunable.minimum > 40 ? 31 : 1;
      for (std::int64_t value = tunable.minimum; value <= tunable.maximum; value += step) {
        Bindings bindings = file.defaults();
        bindings[tunable.name] = value;
        for (const SizeParameter& size : file.sizes) { bindings[size.name] = 19; }
        try {
          static_cast<void>(file.configuration(file.bind(bindings)));
        } catch (const InputError&) {
          continue;  // no such block
        }
        expectNone(file, file.bind(bindings));
      }
    }
  }
}

TEST_F(FaultFreeTest, EveryVariantAtSizesThatDoNotDivide) {
  const Catalogue catalogue = Catalogue::read(std::filesystem::path(HALOSCOPE_SOURCE_DIR) / "kernels");
  for (const KernelFile& file : catalogue.kernels()) {
    for (const std::int64_t edge : {1, 2, 5, 16, 33}) {
      Bindings bindings = file.defaults();
      for (const SizeParameter& size : file.sizes) { bindings[size.name] = edge; }
      expectNone(file, file.bind(bindings));
    }
  }
}

TEST(FaultsOfVariantsTest, NoBarrierCanBeSpared) {
  const std::string barrier = "__syncthreads();";
  const Catalogue catalogue = Catalogue::read(std::filesystem::path(HALOSCOPE_SOURCE_DIR) / "kernels");
  int barriers = 0;
  for (const KernelFile& file : catalogue.kernels()) {
    for (std::size_t at = file.text.find(barrier); at != std::string::npos; at = file.text.find(barrier, at + 1)) {
      ++barriers;
      KernelFile mutant = file;
      mutant.text.replace(at, barrier.size(), std::string(barrier.size(), ' '));
      Bindings bindings = file.defaults();
      for (const SizeParameter& size : file.sizes) { bindings[size.name] = 20; }
      const analysis::FaultReport report = faultsOf(mutant, bindings);
      const auto line = 1 + std::count(file.text.begin(), file.text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
      SCOPED_TRACE(file.id + " without its barrier at line " + std::to_string(line));
      ASSERT_FALSE(report.findings.empty());
      std::set<ObjectId> arrays;
      for (const analysis::Finding& finding : report.findings) {
        EXPECT_TRUE(arrays.insert(finding.object).second) << "one mistake, several findings: " << finding.message;
        EXPECT_EQ(finding.kind, analysis::FindingKind::RaceShared) << finding.message;
        EXPECT_GT(finding.outputCount, 0U) << finding.message;
      }
    }
  }
  EXPECT_GE(barriers, 7);
}

}  // namespace
}  // namespace haloscope
