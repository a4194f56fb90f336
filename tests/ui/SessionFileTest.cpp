#include "documents/SessionFile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "CommandLineSupport.h"
#include "TextFile.h"
#include "documents/SessionWriter.h"
#include "inputs/ChosenData.h"
#include "program/SourceLocation.h"

// The file of a session: what is written is read again, and what is damaged is named.

namespace haloscope::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::shared_ptr<const SceneText> own(const std::string& source) {
  SceneText text;
  text.kernel = "opened/mine";
  text.file = "mine.cu";
  text.source = source;
  text.headers = {{"lib/rate.h", "#define RATE 1\r\n"}};
  text.entry = "sweep";
  text.arguments = {"512", "a \"b\""};
  text.launch.grid = Dim3{3, 1, 1};
  text.launch.bindings = {{"n", "[N, N]"}};
  return std::make_shared<const SceneText>(std::move(text));
}

Scene full() {
  Scene scene;
  scene.title = "Tiles: \"why\" # not";
  scene.note = "first line\n\n  indented, 中文\n";
  scene.choice.kernel = "opened/mine";
  scene.choice.bindings = {{"N", 24}, {"NO", 3}};
  inputs::choose(scene.choice.data, "in", "8,2,5/1,2,3");
  inputs::choose(scene.choice.data, "in@1,2", "-0.1");
  scene.choice.block = Dim3{1, 2, 3};
  scene.choice.withoutBarriers = {7, 50};
  scene.choice.order = simt::WarpOrder::Random;
  scene.choice.orderSeed = 9;
  scene.texts = {own("int a;\n")};
  scene.thread = Dim3{3, 2, 1};
  scene.moment = {.kind = Moment::Kind::At, .text = "in_s[ty][tx] = \"#2\""};
  scene.element = {4, 5};
  scene.camera = SceneCamera{.yaw = 1.25F, .pitch = -0.5F, .zoom = 2, .panX = 3, .panY = -4};
  scene.workspace = Workspace::Tune;
  scene.panels = {Tab::Source, Tab::BugLab};
  scene.hall = {Tab::Block, Tab::Source};
  scene.figure = "opb";
  scene.lesson = {"tiles-and-halos", 0.5F};
  scene.language = Language::Chinese;
  scene.compare = {"stencil/basic"};
  scene.lineUp = LineUp::Cell;
  scene.speed = 2.3;
  scene.play = PlayPlace{.problem = "playground/heat_plate",
                         .sweeps = 240,
                         .runs = false,
                         .pace = 10,
                         .coefficients = {{"RATE", 3}},
                         .size = 256,
                         .volume = false,
                         .axis = 1,
                         .slice = 0.1F};
  scene.launch = 2;
  return scene;
}

Session sessionOf(Scene scene) {
  Session session;
  session.path = "/somewhere/lecture.halo";
  session.scenes.push_back(std::move(scene));
  return session;
}

std::string complaintOf(const std::string& text) {
  try {
    static_cast<void>(readSession("/somewhere/lecture.halo", text));
  } catch (const UserError& error) { return error.what(); }
  return "";
}

TEST(SessionFileTest, ASceneIsReadAsItWasWritten) {
  const Scene before = full();
  const Session read = readSession("/elsewhere/lecture.halo", sessionText(sessionOf(before)));
  ASSERT_EQ(read.scenes.size(), 1U);
  Scene now = read.scenes[0];
  ASSERT_EQ(now.texts.size(), 1U);
  SceneText text = *now.texts[0];
  EXPECT_EQ(now.choice.kernel, "@mine") << "until it is unpacked";
  now.choice.kernel = text.kernel = before.choice.kernel;
  now.texts = {std::make_shared<const SceneText>(text)};
  EXPECT_TRUE(now == before);
  now.camera->panY += 1;
  EXPECT_FALSE(now == before);
}

TEST(SessionFileTest, EveryTextSurvives) {
  for (const std::string source :
       {"", "\n", "a", "a\n", "a\n\n\n", "\n\na", "  indented first\nb\n", "\ttab\n\t\tb", "a\r\nb\r\n", "a \nb\t\n",
        "--- # no document\n...\n", "key: value\n- list\n", "'\"\\ %d\n\"", "\xEF\xBB\xBFwith a mark\n", "控制\n中文",
        "a\x01\x7f\n", "a\xC2\x85\xE2\x80\xA8 b\n", "   \n   \n"}) {
    Scene scene = full();
    scene.texts = {own(source)};
    scene.note = source;
    const Session read = readSession("/s.halo", sessionText(sessionOf(scene)));
    EXPECT_EQ(read.scenes.at(0).texts.at(0)->source, source);
    EXPECT_EQ(read.scenes.at(0).note, source);
  }
}

TEST(SessionFileTest, NumbersOfAFileTravelAlong) {
  const fs::path file = fs::path(::testing::TempDir()) / "haloscope_numbers.csv";
  writeFile(file, "0.1, 2, 3\n4, 5, 6e-9\n");
  Scene scene = full();
  scene.choice.data.clear();
  inputs::choose(scene.choice.data, "in", "@" + file.string());
  inputs::choose(scene.choice.data, "in@0,1", "7");
  fs::remove(file);
  const Session read = readSession("/s.halo", sessionText(sessionOf(scene)));
  const inputs::ArrayChoice& now = read.scenes.at(0).choice.data.at("in");
  EXPECT_EQ(*now.numbers, *scene.choice.data.at("in").numbers);
  EXPECT_EQ(now.cells, scene.choice.data.at("in").cells);
  EXPECT_EQ(now.file, "haloscope_numbers.csv");
}

TEST(SessionFileTest, ATextThatIsNotUtf8IsNotWritten) {
  Scene scene = full();
  scene.texts = {own("a\n\xff\xfe\n")};
  EXPECT_THROW(static_cast<void>(sessionText(sessionOf(scene))), InputError);
}

TEST(SessionFileTest, ANewerVersionSaysSoWhateverElseItHas) {
  const std::string said = complaintOf("haloscope session: 7\nstage lights: dim\n");
  EXPECT_THAT(said, HasSubstr("lecture.halo:1:20: this session has version 7"));
}

TEST(SessionFileTest, WhatIsWrongIsNamedWithItsLine) {
  const std::string head = "haloscope session: 1\nscenes:\n  - title: a\n    kernel: stencil/tiled\n";
  EXPECT_EQ(complaintOf(head), "");
  for (const auto& [line, said] : std::initializer_list<std::pair<std::string, std::string>>{
           {"    tunables: {N: 3}", "unknown key \"tunables\" in a scene"},
           {"    with: {N: many}", "lecture.halo:5:15"},
           {"    place: {barier: 1}", "a place is"},
           {"    place: {step: x}", "a whole number"},
           {"    text: [gone]", "there is no text \"gone\""},
           {"    compare: [\"@gone\"]", "there is no text \"gone\""},
           {"    workspace: hall", "write one of learn, walk"},
           {"    panels: [Sauce]", "there is no panel Sauce"},
           {"    hall: [Block, Source, Memory]", "one panel, or two"},
           {"    camera: below", "camera=below"},
           {"    data: [\"in=@/etc/passwd\"]", "refers to no file"},
           {"    numbers: {in: {extents: [4], values: \"1, 2\"}}", "there are 2 numbers, and the extents say 4"},
           {"    numbers: {in: {extents: [4000000000, 4000000000], values: \"1\"}}", "extents: each axis"},
           {"    speed: -1", "a number from"},
           {"    tempo: 0", "a number from"},
           {"    place: {end: false}", "write end=true"},
           {"    numbers: {in: {extents: [1], grey: yes, values: \"1\"}}", "grey: write true or false"},
           {"    play: {problem: playground/life, runs: no}", "runs: write true or false"},
           {"    play: {sweeps: 3}", "problem"},
           {"    play: {problem: playground/life, sweeps: -3}", "a number from 0 on"},
           {"    play: {problem: playground/life, brush: 1}", "unknown key \"brush\" in play"},
           {"    launch: 0", "counted from 1"},
           {"texts: {t: {file: x.cu, launch: {grid: \"0,1,1\"}, source: a}}", "each axis has at least 1"},
           {"texts: {t: {of: a, arguments: [b], source: a}}", "only for a \"file\""},
           {"    language: xx", "write en or zh"},
           {"texts: {t: {file: ../../x.cu, source: a}}", "not the name of a file"},
           {"texts: {t: {file: x.cu, headers: {../../h.h: a}, source: a}}", "not a path below"},
           {"texts: {t: {file: x.cu, headers: {/etc/h.h: a}, source: a}}", "not a path below"},
           {"texts: {t: {source: a}}", "one of \"of\""},
           {"    kernel: [", "not valid YAML"}}) {
    EXPECT_THAT(complaintOf(head + line + "\n"), HasSubstr(said)) << line;
    EXPECT_THAT(complaintOf(head + line + "\n"), HasSubstr("lecture.halo:")) << line;
  }
  EXPECT_THAT(complaintOf("title: a cooking recipe\n"), HasSubstr("this is not a session"));
  EXPECT_THAT(complaintOf("\x89PNG\r\n\x1a\n"), HasSubstr("lecture.halo"));
  EXPECT_NE(complaintOf(""), "");
  EXPECT_NE(complaintOf(std::string(100000, '[')), "");
}

TEST(SessionFileTest, WhatWouldFillTheCacheIsRefusedBeforeItIsWritten) {
  const std::string head = "haloscope session: 1\nscenes:\n  - title: a\n    kernel: \"@t0\"\ntexts:\n";
  std::string headers = "  t0:\n    file: x.cu\n    source: a\n    headers:\n";
  for (int i = 0; i < 50'000; ++i) { headers += "      h" + std::to_string(i) + ".h: b\n"; }
  EXPECT_THAT(complaintOf(head + headers), HasSubstr("lecture.halo:7:5: the texts up to this one bring 50001 files"));

  // A few in each of many texts, or one in each of too many.
  std::string several, texts;
  for (int i = 0; i < 500; ++i) {
    several += "  t" + std::to_string(i) + ": {file: x.cu, headers: {a.h: a, b.h: b}, source: a}\n";
  }
  EXPECT_THAT(complaintOf(head + several), HasSubstr("lecture.halo:339:9: the texts up to this one bring 1002 files"));
  for (int i = 0; i < 1001; ++i) { texts += "  t" + std::to_string(i) + ": {of: stencil/tiled, source: a}\n"; }
  EXPECT_THAT(complaintOf(head + texts), HasSubstr("a session has at most 1000 texts"));

  // What is written once, and stands in many places.
  EXPECT_THAT(complaintOf(head + "  t0: &t {file: x.cu, source: a}\n  t1: *t\n"),
              HasSubstr("lecture.halo:7:7: this is not valid YAML: an alias (*name) is not read"));
}

TEST(SessionFileTest, AFileThatWasCutShortNeverEndsTheProgram) {
  const std::string text = sessionText(sessionOf(full()));
  std::size_t refused = 0, read = 0;
  const auto isReadOrRefused = [&](const std::string& other, std::size_t at) {
    const std::string complaint = complaintOf(other);
    EXPECT_TRUE(complaint.empty() || complaint.find("lecture.halo") != std::string::npos) << at << ": " << complaint;
    ++(complaint.empty() ? read : refused);
  };
  for (std::size_t length = 0; length < text.size(); length += 3) { isReadOrRefused(text.substr(0, length), length); }
  for (std::size_t at = 0; at < text.size(); at += 5) {
    std::string other = text;
    other[at] = static_cast<char>(other[at] ^ 0x15);
    isReadOrRefused(other, at);
  }
  EXPECT_GT(refused, 0U);
  EXPECT_GT(read, 0U);
}

TEST_F(CommandLineTest, EverySceneOfTheExampleCanBeExecutedAndShown) {
  // Another folder, without the files it was made from.
  const fs::path moved = folder_ / "moved" / "lecture.halo";
  fs::create_directories(moved.parent_path());
  fs::copy_file(HALOSCOPE_SOURCE_DIR "/assets/sessions/chapters-7-and-8.halo", moved);
  const Reply checked = run("session " + moved.string() + " --check --json");
  ASSERT_EQ(checked.status, 0) << checked.out << checked.err;
  const auto json = nlohmann::json::parse(checked.out);
  EXPECT_EQ(json["scenes"].size(), 8U);
  EXPECT_EQ(json["problems"], 0);
  for (const auto& scene : json["scenes"]) { EXPECT_GT(scene["steps"].get<int>(), 0) << scene; }
}

TEST_F(CommandLineTest, ASceneThatCannotBeShownIsNamed) {
  const fs::path file = folder_ / "lecture.halo";
  writeFile(file,
            "haloscope session: 1\nscenes:\n"
            "  - {title: good, kernel: stencil/tiled, place: {barrier: 1}}\n"
            "  - {title: gone, kernel: stencil/of_another_version}\n"
            "  - {title: far, kernel: stencil/tiled, place: {step: 1000000}}\n"
            "  - {title: large, kernel: stencil/tiled, with: {IN_TILE_DIM: 99}}\n");
  const Reply checked = run("session " + file.string() + " --check --json");
  EXPECT_EQ(checked.status, 1);
  const auto json = nlohmann::json::parse(checked.out);
  EXPECT_EQ(json["problems"], 3);
  EXPECT_FALSE(json["scenes"][0].contains("problem"));
  EXPECT_THAT(json["scenes"][1]["problem"].get<std::string>(), HasSubstr("of_another_version"));
  EXPECT_THAT(json["scenes"][2]["problem"].get<std::string>(), HasSubstr("step=1000000"));
  EXPECT_THAT(json["scenes"][3]["problem"].get<std::string>(), HasSubstr("IN_TILE_DIM"));
  const std::string picture = (folder_ / "none.png").string();
  const Reply none = run("render " + file.string() + " --scene 5 -o " + picture);
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err, HasSubstr("has scenes 1 to 4"));
  EXPECT_THAT(run("render " + file.string() + " --scene 2 -o " + picture).err, HasSubstr("of_another_version"));
  EXPECT_FALSE(fs::exists(picture));
}

TEST_F(CommandLineTest, CheckingExecutesComparedVariantsAtTheScenesSizes) {
  const fs::path file = folder_ / "compare.halo";
  writeFile(file,
            "haloscope session: 1\nscenes:\n"
            "  - {title: good, kernel: stencil/tiled, with: {N: 20}, compare: [stencil/basic]}\n"
            "  - {title: other output, kernel: stencil/tiled, with: {N: 20}, compare: [stencil/2d_5_basic]}\n"
            "  - {title: lesson, kernel: stencil/tiled, lesson: {id: no-such-lesson}}\n");
  const Reply checked = run("session " + file.string() + " --check --json");
  EXPECT_EQ(checked.status, 1);
  const auto json = nlohmann::json::parse(checked.out);
  EXPECT_FALSE(json["scenes"][0].contains("problem")) << json;
  EXPECT_THAT(json["scenes"][1]["problem"].get<std::string>(), HasSubstr("stencil/2d_5_basic"));
  EXPECT_THAT(json["scenes"][2]["problem"].get<std::string>(), HasSubstr("no-such-lesson"));
}

TEST_F(CommandLineTest, AListOfScenesWritesNothing) {
  const fs::path file = folder_ / "own.halo";
  writeFile(file,
            "haloscope session: 1\nscenes:\n  - {title: a, kernel: \"@mine\"}\n"
            "texts:\n  mine: {file: mine.cu, source: \"__global__ void k(float* x) { *x = 1; }\"}\n");
  const fs::path cache = folder_ / "cache";
  ::setenv("XDG_CACHE_HOME", cache.c_str(), 1);
  const Reply listed = run("session " + file.string());
  ::unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(listed.status, 0) << listed.err;
  EXPECT_THAT(listed.out, HasSubstr("mine.cu"));
  EXPECT_FALSE(fs::exists(cache / "haloscope" / "sessions"));
}

TEST_F(CommandLineTest, AProblemIsPlayedWithoutAWindow) {
  const Reply played = run("play poisson_jacobi --size 32 --sweeps 40 --emulator --json");
  ASSERT_EQ(played.status, 0) << played.err;
  const auto json = nlohmann::json::parse(played.out);
  EXPECT_EQ(json["problem"], "playground/poisson_jacobi");
  EXPECT_EQ(json["engine"], "playground/poisson_jacobi");
  EXPECT_EQ(json["sweeps"], 40);
  EXPECT_EQ(json["time_per_step"]["samples"], 40);
  EXPECT_THAT(json["timed"].get<std::string>(), HasSubstr("emulator"));
  const auto begin = nlohmann::json::parse(run("play poisson_jacobi --size 32 --sweeps 0 --emulator --json").out);
  EXPECT_TRUE(begin["time_per_step"].is_null());
  EXPECT_LT(json["residual"]["root_mean_square"].get<double>(), begin["residual"]["root_mean_square"].get<double>());
  const auto heat = nlohmann::json::parse(
      run("play heat_plate --size 64 --sweeps 3 --engine stencil/2d_5_tiled --emulator --json").out);
  EXPECT_EQ(heat["engine"], "stencil/2d_5_tiled");
  EXPECT_EQ(heat["extents"], (std::vector<int>{64, 64}));
  EXPECT_TRUE(heat["residual"].is_null());
  const Reply refused = run("play life --engine stencil/2d_5_tiled --emulator");
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("it does not compute playground/life"));
}

TEST_F(CommandLineTest, ASceneIsDrawn) {
  const std::string picture = (folder_ / "scene.png").string();
  const Reply drawn = run("render " HALOSCOPE_SOURCE_DIR
                          "/assets/sessions/chapters-7-and-8.halo --scene 8 --width 640 --height 360 -o " +
                          picture);
  ASSERT_EQ(drawn.status, 0) << drawn.err;
  EXPECT_EQ(read(picture).substr(1, 3), "PNG");
}

}  // namespace
}  // namespace haloscope::test
