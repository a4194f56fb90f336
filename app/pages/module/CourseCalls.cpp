// What the pages of a site ask besides: lessons.

#include "module/LessonDesk.h"
#include "module/Message.h"
#include "module/Request.h"

namespace haloscope::handout {

extern "C" {

/// A lesson, its questions with other numbers, and what a reader answers.
[[clang::export_name("lesson")]] void haloscopeLesson() {
  answerWith([] { return openLesson(opened(request)); });
}
[[clang::export_name("ask")]] void haloscopeAsk() {
  answerWith([] { return askQuestion(opened(request).facts); });
}
[[clang::export_name("judge")]] void haloscopeJudge() {
  answerWith([] { return judgeAnswer(opened(request).facts); });
}

}  // extern "C"

}  // namespace haloscope::handout
