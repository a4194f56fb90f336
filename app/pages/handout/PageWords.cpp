#include "handout/PageWords.h"

#include <nlohmann/json.hpp>

#include "cells/Palette.h"
#include "language/Text.h"
#include "text/JsonText.h"

namespace haloscope::handout {

namespace {

using Json = nlohmann::ordered_json;

Json translated(const auto& texts) {
  Json list = Json::array();
  for (const char* text : texts) { list.push_back(tr(text)); }
  return list;
}

template <typename What>
Json coloursOf(const cells::Palette& palette, std::size_t count) {
  Json colours = Json::array();
  for (std::size_t i = 0; i < count; ++i) {
    colours.push_back(cells::cssColour(cells::colourOf(palette, static_cast<What>(i))));
  }
  return colours;
}

Json coloursJson(bool light) {
  const cells::Palette& palette = cells::paletteOf(light);
  return {{"roles", coloursOf<recording::Role>(palette, cells::kRoleNames.size())},
          {"places", coloursOf<recording::RotationPlace>(palette, 4)},
          {"statuses", coloursOf<recording::LaneStatus>(palette, cells::kStatusNames.size())},
          {"activities", coloursOf<recording::Activity>(palette, cells::kActivityNames.size())}};
}

}  // namespace

std::string pageWords() {
  const Json words = {
      {"colours", {{"light", coloursJson(true)}, {"dark", coloursJson(false)}}},
      {"roles", translated(cells::kRoleNames)},
      {"statuses", translated(cells::kStatusNames)},
      {"step", tr("Step {0} of {1}")},
      {"beforeFirst", tr("Before the first step, of {0}")},
      {"interval", tr("barrier interval {0}")},
      {"line", tr("line {0}")},
      {"first", tr("First step (Home)")},
      {"previousInterval", tr("Previous barrier interval (Shift + ←)")},
      {"previous", tr("Previous step (←)")},
      {"play", tr("Play (Space)")},
      {"pause", tr("Pause (Space)")},
      {"next", tr("Next step (→)")},
      {"nextInterval", tr("Next barrier interval (Shift + →)")},
      {"last", tr("Last step (End)")},
      {"position", tr("Position in the execution")},
      {"timeline", tr("Timeline")},
      {"controls", tr("Steps")},
      {"speed", tr("Steps a second")},
      {"lanes", tr("Threads, 32 lanes of a warp in a row")},
      {"lane", tr("lane {0} of warp {1}")},
      {"thread", tr("thread {0}")},
      {"threadNumber", tr("Thread")},
      {"variables", tr("Variables of the thread")},
      {"variable", tr("Variable")},
      {"value", tr("Value")},
      {"table", tr("{0} as a table")},
      {"notWritten", tr("not written yet")},
      {"unwritten", tr("unwritten")},
      {"farApart", tr("; they lie far apart: only the elements that the block uses")},
      {"outside", tr("outside the array")},
      {"notRead", tr("the block does not read it")},
      {"writtenBy", tr("written by {0} in step {1}")},
      {"firstReadBy", tr("first read by {0} in step {1}")},
      {"readNow", tr("read by the current step, {0}")},
      {"writtenNow", tr("written by the current step")},
      {"copyOf", tr("a copy of {0}")},
      {"faulty", tr("a fault reaches it")},
      {"bits", tr("bits {0}")},
      {"legendWritten", tr("written by this step")},
      {"legendRead", tr("read by this step")},
      {"legendNext", tr("next plane")},
      {"legendPrevious", tr("previous plane")},
      {"legendCurrent", tr("interior, current plane")},
      {"legend", tr("Colours")},
      {"bytes", tr(" bytes")},
      {"block", tr("Block")},
      {"copyLink", tr("Copy a link to this place")},
      {"copied", tr("Copied.")},
      {"notCopied", tr("The browser does not let this page copy: its address is the link.")},
      {"notChosen", tr("The address names values at which this page cannot execute its kernel. What is shown was "
                       "recorded when the page was made.")},
      {"numberExpected", tr("a number is expected")},
      {"executing", tr("Executing …")},
      {"checking", tr("Checking …")},
      {"findings", tr("Findings")},
      {"executed", tr("Executed and drawn in {0} ms.")},
      {"notStored", tr("This page has no program for {0}. To make a page that has it: {1}")},
      {"storedAre", tr("It has programs for {0}.")},
      {"tookTooLong", tr("The execution was ended after {0} s. What is shown was executed before.")},
      {"trapped",
       tr("The emulator in this page ended ({0}); smaller sizes need less memory. What is shown was executed "
          "before.")},
      {"moduleDamaged",
       tr("The emulator in this page cannot be started ({0}). The page shows what was recorded when it "
          "was made.")},
      {"noWebAssembly", tr("This browser has no WebAssembly, so nothing can be executed anew. The page shows what was "
                           "recorded when it was made.")},
      {"tooOld", tr("This browser is too old to unpack the recording (it has no DecompressionStream). The source, the "
                    "findings and the answers can be read all the same.")},
      {"damaged", tr("The recording in this file is damaged: {0}")},
  };
  return jsonText(words);
}

}  // namespace haloscope::handout
