#include <glad/gl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "CommandLineSupport.h"
#include "DecodedGif.h"
#include "ExportSupport.h"
#include "PanelExporter.h"
#include "TextFile.h"
#include "UiDriver.h"
#include "actions/ExportActions.h"
#include "exporting/Movie.h"
#include "program/SourceLocation.h"
#include "render/Context.h"
#include "render/Image.h"
#include "ui/widgets/Theme.h"
#include "work/Pool.h"

// Panels as files: what is in them, and that there is none where something went wrong.

namespace haloscope::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Why a text is not well-formed XML; empty: it is. Knows elements, attributes, entities and the declaration.
std::string xmlProblem(const std::string& text) {
  std::vector<std::string> open;
  std::size_t at = 0;
  std::size_t elements = 0;
  while ((at = text.find('<', at)) != std::string::npos) {
    const std::size_t end = text.find('>', at);
    if (end == std::string::npos) { return "a tag does not end"; }
    const std::string tag = text.substr(at + 1, end - at - 1);
    at = end + 1;
    if (tag.starts_with("?")) { continue; }
    if (std::ranges::count(tag, '"') % 2 != 0) { return "a quote does not end: " + tag; }
    if (tag.find('<') != std::string::npos) { return "a tag within a tag: " + tag; }
    if (tag.starts_with("/")) {
      if (open.empty() || open.back() != tag.substr(1)) { return "ends what is not open: " + tag; }
      open.pop_back();
    } else if (!tag.ends_with("/")) {
      open.push_back(tag.substr(0, tag.find_first_of(" \n")));
      ++elements;
    }
  }
  for (std::size_t mark = text.find('&'); mark != std::string::npos; mark = text.find('&', mark + 1)) {
    const std::string rest = text.substr(mark, 6);
    const auto known = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    if (std::ranges::none_of(known, [&](const char* one) { return rest.starts_with(one); })) { return "bare &"; }
  }
  if (!open.empty()) { return "does not end: " + open.back(); }
  return elements == 0 ? "no element" : "";
}

TEST_F(ExportTest, APictureHasItsSizeTimesItsScale) {
  ExportPlan plan = planFor(Tab::Block, "block.png");
  plan.scale = 2;
  const std::size_t before = state().cursor.position();
  write(plan);
  ASSERT_THAT(state().exporting.problem, IsEmpty());
  EXPECT_EQ(state().exporting.written, folder_ / "block.png");
  const render::Image image = render::Image::read(folder_ / "block.png");
  EXPECT_EQ(image.width, 960);
  EXPECT_EQ(image.height, 640);
  EXPECT_EQ(state().cursor.position(), before);
}

TEST_F(ExportTest, SvgHasWordsAsTextAndColoursAsFills) {
  state().cursor.goTo(9);
  write(planFor(Tab::Block, "block.svg"));
  ASSERT_THAT(state().exporting.problem, IsEmpty());
  const std::string svg = readFile(folder_ / "block.svg");
  EXPECT_EQ(xmlProblem(svg), "");
  EXPECT_THAT(svg, HasSubstr(">in_s[0]</text>"));
  EXPECT_THAT(svg, HasSubstr("stencil/tiled"));
  EXPECT_THAT(svg, HasSubstr("step 9 of"));
  EXPECT_THAT(svg, HasSubstr("#e69f00")) << "the legend's halo";
  EXPECT_THAT(svg, ::testing::Not(HasSubstr("<image"))) << "the scene is drawn, not embedded";
  EXPECT_THAT(state().exporting.note, IsEmpty());
}

TEST_F(ExportTest, SvgOfTheSourceHasItsLines) {
  write(planFor(Tab::Source, "source.svg"));
  const std::string svg = readFile(folder_ / "source.svg");
  EXPECT_EQ(xmlProblem(svg), "");
  EXPECT_THAT(svg, HasSubstr(">threadIdx</text>"));
  EXPECT_THAT(svg, HasSubstr("class=\"m\""));
}

TEST_F(ExportTest, TheDialogWritesWhatItAsksFor) {
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    user->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_S);
    user->Yield(3);
    user->SetRef("//$FOCUSED");
    user->ItemInputValue("##path", (folder_ / "counts.png").c_str());
    user->ItemClick("**/CSV");
    user->ItemClick("###start");
    for (int frame = 0; frame < 1000 && state().exporting.running; ++frame) { user->Yield(); }
    EXPECT_TRUE(state().exporting.dialog) << "it says what was written";
    user->KeyPress(ImGuiKey_Escape);
    user->Yield(2);
  }));
  EXPECT_THAT(state().exporting.problem, IsEmpty());
  EXPECT_THAT(readFile(folder_ / "counts.csv"), HasSubstr("op_per_byte.executed,"));
  EXPECT_FALSE(state().exporting.dialog);
}

TEST_F(ExportTest, ATypedNamesEndingChoosesTheFormat) {
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    user->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_S);
    user->Yield(3);
    user->SetRef("//$FOCUSED");
    user->ItemInputValue("##path", (folder_ / "typed.svg").c_str());
    user->ItemClick("###start");
    for (int frame = 0; frame < 1000 && state().exporting.running; ++frame) { user->Yield(); }
  }));
  EXPECT_THAT(state().exporting.problem, IsEmpty());
  EXPECT_EQ(xmlProblem(readFile(folder_ / "typed.svg")), "");
}

TEST_F(ExportTest, WhatHasTooManyPicturesIsNotBegun) {
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    user->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_S);
    user->Yield(3);
    user->SetRef("//$FOCUSED");
    user->ItemClick("**/GIF");
    const auto enabled = [&] { return (user->ItemInfo("###start").ItemFlags & ImGuiItemFlags_Disabled) == 0; };
    EXPECT_TRUE(enabled());
    state().exporting.plan.speed = 1e-3;
    user->Yield(2);
    EXPECT_FALSE(enabled());
    user->ItemClick("**/PNG");
    user->Yield(2);
    EXPECT_TRUE(enabled()) << "of one picture there are not too many";
    user->KeyPress(ImGuiKey_Escape);
  }));
}

TEST_F(ExportTest, ACaptionSaysWhereTheNumbersComeFrom) {
  const auto source = [&](Tab panel) { return panelCaption(state(), panel).back(); };
  EXPECT_THAT(source(Tab::Block), HasSubstr("executed on Haloscope's emulator"));
  EXPECT_THAT(source(Tab::OpPerByte), HasSubstr("counted by Haloscope's emulator"));
  EXPECT_THAT(source(Tab::Roofline), HasSubstr("counted by Haloscope's emulator"));
  FieldStatus& field = state().field;
  field = {};
  EXPECT_EQ(source(Tab::Field), "nothing was swept");
  state().gpuName = "NVIDIA H200";
  EXPECT_EQ(source(Tab::Timings), "nothing was timed");
  field.path = FieldPath::Emulator;
  field.extents = {64, 96};
  EXPECT_EQ(source(Tab::Field), "the field before the first sweep");
  EXPECT_THAT(panelCaption(state(), Tab::Field).front(), HasSubstr("a field of 64×96"));
  field.sweeps = 3;
  field.ring = {{0.5}};
  EXPECT_EQ(source(Tab::Field), "swept by Haloscope's emulator") << "although there is a GPU";
  EXPECT_EQ(source(Tab::Timings), "timed on Haloscope's emulator");
  field.path = FieldPath::HostCopy;
  EXPECT_EQ(source(Tab::Playground), "swept on NVIDIA H200");
  EXPECT_EQ(source(Tab::Timings), "timed on NVIDIA H200");
  state().gpuName.clear();
  state().gpuSpecs.emplace_back().name = "Tesla T4";
  EXPECT_EQ(source(Tab::Timings), "predicted for Tesla T4 by formula, not measured");
  EXPECT_THAT(panelCaption(state(), Tab::Lesson), IsEmpty()) << "it is not about the kernel";
}

/// Files of this process cannot grow beyond so many bytes, which is like a full disk.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit small = before_;
    small.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &small);
  }
  ~SmallDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

 private:
  void (*handler_)(int);
  rlimit before_{};
};

TEST_F(ExportTest, AFullDiskLeavesNothingAndSaysWhy) {
  for (const char* name : {"full.gif", "full.png", "full.svg"}) {
    ExportPlan plan = planFor(Tab::Block, name);
    const SmallDisk small(4096);
    write(plan);
    EXPECT_THAT(state().exporting.problem, HasSubstr(name));
    EXPECT_THAT(state().exporting.problem, HasSubstr("could not be written")) << name;
  }
  for (int i = 0; i < 200 && !filesIn(folder_).empty(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  EXPECT_THAT(filesIn(folder_), IsEmpty());
  ExportPlan device = planFor(Tab::Block, "");
  device.output = "/dev/full";
  device.format = ExportFormat::Gif;
  const std::vector<std::uint8_t> pixels(4 * 64 * 64);
  const auto movie = exporting::beginMovie(device);
  EXPECT_THROW(
      {
        movie->add({64, 64, pixels.data()}, {});
        static_cast<void>(movie->finish({}));
      },
      InputError);
}

TEST_F(ExportTest, WhatCannotBeExportedIsRefused) {
  const auto problemOf = [&](ExportPlan plan) {
    write(std::move(plan));
    return state().exporting.problem;
  };
  EXPECT_THAT(problemOf(planFor(Tab::Findings, "x.gif")), HasSubstr("does not change from step to step"));
  EXPECT_THAT(problemOf(planFor(Tab::Findings, "x.csv")), HasSubstr("has no table"));
  EXPECT_THAT(problemOf(planFor(Tab::Block, "no/such/folder/x.png")), HasSubstr("there is no folder"));
  ExportPlan large = planFor(Tab::Block, "x.png");
  large.width = large.height = 4096;
  large.scale = 4;
  EXPECT_THAT(problemOf(large), HasSubstr("268 million in all, and a picture has at most 67 million"));
  ExportPlan beyond = planFor(Tab::Block, "x.gif");
  beyond.steps = ExportSteps{0, 99999, 1};
  EXPECT_THAT(problemOf(beyond), HasSubstr("0 to"));
  ExportPlan notThere = planFor(Tab::Block, "x.png");
  notThere.output = "/proc/x.png";  // no file can be created there, not even by root
  EXPECT_THAT(problemOf(notThere), HasSubstr("/proc/x.png could not be written"));
  EXPECT_THROW(static_cast<void>(exportFormat("x.bmp")), InputError);
  EXPECT_THAT(filesIn(folder_), IsEmpty());
}

TEST_F(ExportTest, AWholePanelIsAsHighAsItsContent) {
  ExportPlan plan = planFor(Tab::Source, "part.svg");
  write(plan);
  plan = planFor(Tab::Source, "whole.svg");
  plan.whole = true;
  write(plan);
  ASSERT_THAT(state().exporting.problem, IsEmpty());
  EXPECT_THAT(state().exporting.note, IsEmpty());
  const std::string& source = state().experiment->file.text;
  const std::string last = ">" + std::to_string(std::ranges::count(source, '\n')) + "<";
  EXPECT_THAT(readFile(folder_ / "part.svg"), ::testing::Not(HasSubstr(last)));
  EXPECT_THAT(readFile(folder_ / "whole.svg"), HasSubstr(last));
  plan.output = "whole.png";
  write(plan);
  const render::Image whole = render::Image::read(folder_ / "whole.png");
  EXPECT_EQ(whole.width, plan.width);
  EXPECT_GT(whole.height, 2 * plan.height);
  plan.output = "whole.gif";
  write(plan);
  EXPECT_THAT(state().exporting.problem, HasSubstr("is a picture"));
}

/// OpenGL says that the driver has given its context up, while this lives.
class LostContext {
 public:
  LostContext() : before_(glGetGraphicsResetStatus) {
    glGetGraphicsResetStatus = []() -> GLenum { return GL_INNOCENT_CONTEXT_RESET; };
  }
  ~LostContext() { glGetGraphicsResetStatus = before_; }
  LostContext(const LostContext&) = delete;
  LostContext& operator=(const LostContext&) = delete;

 private:
  PFNGLGETGRAPHICSRESETSTATUSPROC before_;
};

TEST_F(ExportTest, AFileGetsNoNameBeforeItsPicturesAreKnownToBeDrawn) {
  {
    work::Pool pool(2);
    PanelExporter exporter(driver_.app().context(), pool, ui::Theme::systemFonts(), HALOSCOPE_SOURCE_DIR "/shaders");
    glDisable(GL_RASTERIZER_DISCARD);
    for (const char* name : {"lost.png", "lost.svg", "lost.gif"}) {
      ExportPlan plan = planFor(Tab::Memory, name);
      if (exportFormat(name) == ExportFormat::Gif) { plan.steps = ExportSteps{0, 2, 1}; }
      begin(plan);
      const LostContext lost;
      const auto work = [&] {
        do {
          exporter.update(state(), nullptr);
          exporter.wait({});
        } while (exporter.busy());
      };
      EXPECT_THROW(work(), render::ContextError) << name;
      EXPECT_FALSE(exporter.busy());
      EXPECT_FALSE(state().exporting.running);
    }
  }
  glEnable(GL_RASTERIZER_DISCARD);
  EXPECT_THAT(filesIn(folder_), IsEmpty());
}

TEST_F(CommandLineTest, ExportsAPanelByItsFilesEnding) {
  const fs::path csv = folder_ / "counts.csv";
  const Reply table = run("export stencil/tiled -o " + csv.string());
  ASSERT_EQ(table.status, 0) << table.err;
  const Reply counted = run("count stencil/tiled --json");
  const nlohmann::json document = nlohmann::json::parse(counted.out);
  const std::string text = read(csv);
  EXPECT_THAT(text, HasSubstr("global_load_bytes," + std::to_string(document["global_load_bytes"].get<long>())));
  const fs::path gif = folder_ / "steps.gif";
  const std::string small = " --width 400 --height 300 --panel Timeline -o ";
  ASSERT_EQ(run("export stencil/tiled --steps 1..3" + small + gif.string()).status, 0);
  EXPECT_EQ(decode(gif).pictures.size(), 3U);
  const Reply range = run("export stencil/tiled --steps 3" + small + gif.string());
  EXPECT_EQ(range.status, 2);
  EXPECT_THAT(range.err, HasSubstr("FIRST..LAST"));
  const Reply video = run("export stencil/tiled --steps 1..3" + small + (folder_ / "steps.mp4").string(),
                          "env -u DISPLAY PATH=/nonexistent");
  EXPECT_EQ(video.status, 2);
  EXPECT_THAT(video.err, HasSubstr("apt-get install ffmpeg"));
  EXPECT_FALSE(fs::exists(folder_ / "steps.mp4"));
  EXPECT_EQ(run("export stencil/tiled -o " + (folder_ / "x.bmp").string()).status, 2);
  EXPECT_EQ(run("export stencil/tiled --panel Blok -o " + (folder_ / "x.png").string()).status, 2);
}

}  // namespace
}  // namespace haloscope::test
