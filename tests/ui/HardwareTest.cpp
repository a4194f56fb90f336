#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <atomic>
#include <map>

#include "UiDriver.h"
#include "actions/ClimbRows.h"
#include "catalogue/Climb.h"
#include "driver/Device.h"
#include "live/HardwareReadings.h"
#include "render/Image.h"
#include "ui/panels/HardwareLine.h"

/// What the window shows of hardware counters. The readings are made here, about as an H200 gives them: reading real
/// ones has its own tests.
namespace haloscope::test {
namespace {

measuring::HardwareReading readingOf(const measuring::HardwareRequest& request) {
  const std::map<std::string, double> milliseconds = {{"stencil/basic", 0.646},
                                                      {"stencil/tiled", 1.39},
                                                      {"stencil/coarsened", 0.744},
                                                      {"stencil/register_tiled", 0.632},
                                                      {"stencil/vector_loads", 0.5}};
  const std::map<std::string, std::uint64_t> loadBytes = {{"stencil/basic", 3714228000}};
  measuring::HardwareReading reading;
  reading.id = request.file.id;
  reading.title = request.file.title;
  reading.gpu = "NVIDIA H200";
  reading.text = request.file.text;
  reading.bindings = request.bindings;
  for (const SizeParameter& size : request.file.sizes) { reading.bindings[size.name] = 512; }
  reading.bookOpPerByte = request.file.opPerByte->evaluate(reading.bindings);
  reading.flops = 1724463000;
  reading.loadBytes = loadBytes.contains(reading.id) ? loadBytes.at(reading.id) : 1257840000;
  reading.storeBytes = 530604000;
  reading.loadSectors = 104857600;
  reading.storeSectors = 16581375;
  reading.counters.dramReadBytes = 555.6e6;
  reading.counters.dramWrittenBytes = 537.1e6;
  reading.counters.l1LoadSectors = 104857600;
  reading.counters.l1StoreSectors = 16581375;
  reading.counters.occupancy = 0.82;
  reading.milliseconds = milliseconds.contains(reading.id) ? milliseconds.at(reading.id) : 0.3;
  reading.copyGBs = 4169;
  reading.theoreticalOccupancy = 1;
  return reading;
}

class HardwareTest : public ::testing::Test {
 protected:
  explicit HardwareTest(HardwareRunner::Measure measure = {})
      : driver_([&](AppOptions& options) {
          options.measure = measure ? measure : [this](const auto& request, const auto&) {
            order_ += request.file.id + " ";
            return readingOf(request);
          };
          options.timeClimb = [this](const ClimbTimer::Job& job, const auto&, const auto& doing) {
            ClimbTiming timing{.kind = job.limit.name};
            for (const Climb& climb : climbs(*job.catalogue)) {
              if (climb.name != job.limit.climb) { continue; }
              for (const Climb::Rung& rung : climb.rungs) {
                doing(rung.variant->id);
                timed_ += rung.variant->id + " ";
                timing.limits.push_back({.kind = job.limit.name,
                                         .id = rung.variant->id,
                                         .gpu = "NVIDIA H200",
                                         .tileSource = "tuned",
                                         .fraction = 0.5,
                                         .dramBytes = 8.2,
                                         .stalls = {{"a barrier", "barrier", 3}},
                                         .text = rung.variant->text});
              }
            }
            return timing;
          };
        }) {}
  AppState& state() { return driver_.state(); }
  void measure() {
    ASSERT_TRUE(driver_.act([](ImGuiTestContext* user) { user->KeyPress(ImGuiKey_H); }));
    driver_.settle();
  }

  std::string order_, timed_;
  UiDriver driver_;
};

TEST_F(HardwareTest, NothingIsMeasuredUnasked) {
  EXPECT_EQ(order_, "");
  EXPECT_EQ(ui::hardwareLine(state()), "");
  EXPECT_EQ(ui::shownReading(state()), nullptr);
}

TEST_F(HardwareTest, WithTheClimbInFrontItsRungsAreMeasured) {
  state().choice = {.kernel = "stencil/2d_5_tiled", .bindings = {}, .block = {}};
  state().view.tabs.bringToFront(Tab::Climb);
  driver_.settle();
  EXPECT_EQ(climbRows(state()).measuredOn, "");
  measure();
  EXPECT_TRUE(timed_.starts_with("stencil/2d_5_basic stencil/2d_5_tiled beyond/2d_5_rows ")) << timed_;
  EXPECT_EQ(order_, "") << "their counters are read along with their times";
  const ClimbRows rows = climbRows(state());
  EXPECT_EQ(rows.measuredOn, "NVIDIA H200");
  for (const ClimbRow& row : rows.rows) {
    ASSERT_TRUE(row.bar.has_value()) << row.id;
    EXPECT_FALSE(row.bar->recorded) << row.id;
    EXPECT_TRUE(row.numbers.at(static_cast<std::size_t>(ClimbCounter::DramBytes)).counted) << row.id;
    EXPECT_EQ(row.numbers.at(static_cast<std::size_t>(ClimbCounter::Stalls)).text, "3") << row.id;
  }
}

TEST_F(HardwareTest, AKeyMeasuresTheVariantAndThenTheOthersOfItsChapter) {
  measure();
  EXPECT_EQ(order_, "stencil/tiled stencil/basic stencil/coarsened stencil/register_tiled stencil/vector_loads ");
  EXPECT_EQ(state().hardware.readings.size(), 5U);
  EXPECT_EQ(state().hardware.measuring, "");
  EXPECT_FALSE(state().fieldControls.hold);
  ASSERT_NE(ui::shownReading(state()), nullptr);
  EXPECT_EQ(ui::shownReading(state())->id, "stencil/tiled");
  EXPECT_EQ(ui::hardwareLine(state()), "DRAM moved 1.09 GB of 1.79 GB requested: caches served the rest");

  state().choice.kernel = "stencil/basic";
  driver_.settle();
  ASSERT_NE(ui::shownReading(state()), nullptr) << "it was measured with the others";
  state().choice.kernel = "stencil/tiled";
  state().choice.bindings["IN_TILE_DIM"] = 6;
  driver_.settle();
  EXPECT_EQ(ui::shownReading(state()), nullptr) << "another tile size was not measured";
}

TEST_F(HardwareTest, TheWordInTheHeadingMeasures) {
  state().view.tabs.enter(Workspace::Tune);
  driver_.settle();
  ASSERT_TRUE(driver_.act(
      [&](ImGuiTestContext* user) { user->ItemClick((pathOf(state(), Tab::OpPerByte) + "/measure").c_str()); }));
  driver_.settle();
  EXPECT_NE(ui::shownReading(state()), nullptr);
}

TEST_F(HardwareTest, ThePanelsShowIt) {
  state().view.tabs.enter(Workspace::Tune);
  state().measuredCopyGBs = 4169;
  state().measuredFp32GFlops = 60000;
  state().gpuName = "NVIDIA H200";
  driver_.settle();
  const render::Image before = driver_.picture();
  measure();
  const render::Image after = driver_.picture();
  ASSERT_EQ(before.width, after.width);
  const auto differs = [&](Tab tab) {
    const ImRect place = windowOf(state(), tab)->Rect();
    int pixels = 0;
    for (int y = static_cast<int>(place.Min.y); y < static_cast<int>(place.Max.y); ++y) {
      for (int x = static_cast<int>(place.Min.x); x < static_cast<int>(place.Max.x); ++x) {
        pixels += before.at(x, y) == after.at(x, y) ? 0 : 1;
      }
    }
    return pixels;
  };
  EXPECT_GT(differs(Tab::OpPerByte), 200) << "its bars";
  EXPECT_GT(differs(Tab::Roofline), 200) << "its arrows";
}

class NoCounters : public HardwareTest {
 protected:
  NoCounters()
      : HardwareTest([this](const auto&, const auto&) -> measuring::HardwareReading {
          ++asked_;
          throw gpu::Unavailable("the driver lets only an administrator read hardware counters");
        }) {}
  std::atomic<int> asked_ = 0;
};

TEST_F(NoCounters, ThePanelSaysWhatIsMissing) {
  measure();
  EXPECT_EQ(asked_, 1) << "the other variants would meet the same";
  EXPECT_EQ(ui::hardwareLine(state()),
            "No hardware counters: the driver lets only an administrator read hardware counters.");
  EXPECT_TRUE(state().hardware.readings.empty());
}

TEST_F(NoCounters, AWorkspaceWithoutThePanelSaysItToo) {
  state().view.tabs.enter(Workspace::Walk);
  driver_.settle();
  ASSERT_FALSE(state().view.tabs.inFront(Tab::OpPerByte));
  measure();
  measure();
  const std::string sentence = "No hardware counters: the driver lets only an administrator read hardware counters.";
  EXPECT_EQ(state().editing.notices, std::vector<std::string>{sentence});
  state().editing.notices.clear();
  state().view.tabs.enter(Workspace::Tune);
  state().view.tabs.bringToFront(Tab::OpPerByte);
  driver_.settle();
  measure();
  EXPECT_TRUE(state().editing.notices.empty()) << "the panel says it";
}

class FailingKernel : public HardwareTest {
 protected:
  FailingKernel()
      : HardwareTest([](const measuring::HardwareRequest& request, const auto&) {
          if (request.file.id == "stencil/tiled") { throw InputError("out of memory"); }
          return readingOf(request);
        }) {}
};

TEST_F(FailingKernel, CostsTheOthersNothing) {
  measure();
  EXPECT_EQ(ui::hardwareLine(state()), "Not measured: out of memory");
  EXPECT_GE(state().hardware.readings.size(), 3U);
  EXPECT_FALSE(state().hardware.readings.contains("stencil/tiled"));
}

}  // namespace
}  // namespace haloscope::test
