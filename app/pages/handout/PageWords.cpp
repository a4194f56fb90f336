#include "handout/PageWords.h"

#include <nlohmann/json.hpp>

#include "language/Text.h"
#include "text/JsonText.h"

namespace haloscope::handout {

std::string pageWords() {
  const nlohmann::ordered_json words = {
      // In the order of recording::Role, recording::LaneStatus, recording::Activity.
      {"roles",
       {tr("interior"), tr("halo"), tr("ghost"), tr("unwritten"), tr("computed"), tr("output"), tr("pending output")}},
      {"statuses",
       {tr("computing"), tr("loading"), tr("storing"), tr("masked off"), tr("waiting at the barrier"), tr("exited"),
        tr("idle")}},
      {"activities", {tr("control"), tr("load"), tr("output"), tr("move"), tr("compute"), tr("barrier")}},
      {"step", tr("Step {0} of {1}")},
      {"beforeFirst", tr("Before the first step, of {0}")},
      {"interval", tr("barrier interval {0}")},
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
      {"input", tr("input, global memory")},
      {"output", tr("output, global memory")},
      {"shared", tr("shared memory")},
      {"register", tr("register, one per thread")},
      {"constant", tr("constant memory")},
      {"lanes", tr("Threads, 32 lanes of a warp in a row")},
      {"warp", tr("warp {0}")},
      {"lane", tr("lane {0} of warp {1}")},
      {"thread", tr("thread {0}")},
      {"threadNumber", tr("Thread")},
      {"variables", tr("Variables of the thread")},
      {"variable", tr("Variable")},
      {"value", tr("Value")},
      {"plane", tr("plane {0}")},
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
      {"legendThread", tr("chosen thread")},
      {"legendNext", tr("next plane")},
      {"legendPrevious", tr("previous plane")},
      {"legendCurrent", tr("interior, current plane")},
      {"legend", tr("Colours")},
      {"bytes", tr(" bytes")},
      {"tooOld", tr("This browser is too old to unpack the recording (it has no DecompressionStream). The source, the "
                    "findings and the answers can be read all the same.")},
      {"damaged", tr("The recording in this file is damaged: {0}")},
  };
  return jsonText(words);
}

}  // namespace haloscope::handout
