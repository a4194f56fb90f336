#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "analysis/FaultChecks.h"
#include "experiment/Experiment.h"
#include "experiment/InputData.h"
#include "program/Catalogue.h"

namespace haloscope {
namespace {

/// What ships must be free of faults, at sizes that divide and at sizes that do not.
class FaultFreeTest : public ::testing::Test {
 protected:
  static void expectNone(const KernelFile& file, const Bindings& bindings) {
    const Program program = experiment::compile(file, bindings);
    Launch launch = experiment::makeLaunch(file, bindings, program, experiment::InputKind::Random);
    analysis::FaultOptions options;
    options.undefined = {program.findObject(file.computes->output)};
    const analysis::FaultReport report = analysis::findFaults(program, launch, options);
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

}  // namespace
}  // namespace haloscope
