#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "catalogue/Catalogue.h"
#include "driver/Clearance.h"
#include "driver/Device.h"
#include "process/ChildProcess.h"

/// Tests of the GPU side. Those that need a GPU say so and are skipped without one.
namespace haloscope::gpu {

/// Clears any text: the tests run kernels that no gate has checked.
struct TestClearance {
  [[nodiscard]] static Clearance make() { return {}; }
};

/// The folder of this test program.
inline std::filesystem::path folderOfTheTests() { return process::thisProgram().parent_path(); }

/// A folder by its path in the source tree; where there is no such tree, as in the archive that pack.sh makes, next to
/// the program's other files.
inline std::filesystem::path shipped(const std::string& folder) {
  const std::filesystem::path source = std::filesystem::path(HALOSCOPE_SOURCE_DIR) / folder;
  return std::filesystem::is_directory(source) ? source : folderOfTheTests() / ".." / "share" / "haloscope" / folder;
}

/// The variants, read once.
inline const Catalogue& theCatalogue() {
  static const Catalogue kCatalogue = Catalogue::read(shipped("kernels"));
  return kCatalogue;
}

/// The ids of the variants, which parameterised tests are instantiated with.
inline std::vector<std::string> catalogueIds() {
  std::vector<std::string> all;
  for (const KernelFile& file : theCatalogue().kernels()) { all.push_back(file.id); }
  return all;
}

inline std::vector<float> floatsOf(std::span<const std::byte> bytes) {
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
  return values;
}

inline std::vector<std::byte> bytesOf(std::span<const float> values) {
  const auto bytes = std::as_bytes(values);
  return {bytes.begin(), bytes.end()};
}

/// Runs on the real GPU.
class OnGpu : public virtual testing::Test {
 protected:
  void SetUp() override {
    const DeviceSearch search = findDevice();
    if (!search.device) { GTEST_SKIP() << "needs a GPU: " << search.missing; }
    device_ = search.device;
  }

  std::shared_ptr<Device> device_;
};

}  // namespace haloscope::gpu
