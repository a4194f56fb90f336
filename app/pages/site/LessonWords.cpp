#include "site/LessonWords.h"

#include <nlohmann/json.hpp>

#include "language/Text.h"
#include "text/JsonText.h"

namespace haloscope::site {

std::string lessonWords() {
  return jsonText(nlohmann::json{
      {"loading", tr("Loading the emulator …")},
      {"executing", tr("Executing …")},
      {"nothing", tr("Give an answer first.")},
      {"showAnswer", tr("Show the answer")},
      {"look", tr("Look at the step")},
      {"noWebAssembly", tr("This browser has no WebAssembly, so that nothing can be executed here.")},
      {"moduleDamaged", tr("The emulator in this page cannot be started ({0}).")},
      {"tookTooLong", tr("The execution was ended after {0} s.")},
      {"trapped", tr("The emulator in this page ended ({0}).")},
  });
}

std::string contentsWords() {
  return jsonText(nlohmann::json{
      {"done", tr("✓ done")},
      {"read", tr("read")},
      {"some", tr("{0} of {1} questions")},
      {"counts", tr("{0} of {1} lessons done, {2} of {3} questions answered.")},
      {"onward", tr("Go on with:")},
  });
}

}  // namespace haloscope::site
