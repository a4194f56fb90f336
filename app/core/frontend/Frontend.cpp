#include "frontend/Frontend.h"

#include <optional>
#include <utility>

#include "frontend/CompilerProcess.h"
#include "frontend/LoweredTexts.h"
#include "frontend/Messages.h"
#include "language/Text.h"
#include "preludes/LogPrelude.h"
#include "preludes/LoggedCopies.h"

namespace haloscope::frontend {

std::string logPrelude() { return std::string(preludes::kLogPrelude) + preludes::kLoggedCopies; }

namespace {

/// The answer of the kind that was asked for. Throws what the request is refused with.
template <typename Result>
Result answerOf(Request request) {
  const std::string file = request.file;
  Answer answer = ask(std::move(request));
  if (auto* result = std::get_if<Result>(&answer)) { return std::move(*result); }
  Refusal& refusal = std::get<Refusal>(answer);
  switch (refusal.why) {
    case Refusal::Why::NoSuchKernel:
      throw NoSuchKernel(file, std::move(refusal.diagnostics));
    case Refusal::Why::BadInput:
      throw InputError(refusal.message);
    case Refusal::Why::Failed:
      throw std::logic_error(refusal.message);
    case Refusal::Why::NotCompilable:
      break;
  }
  throw CompileError(file, std::move(refusal.diagnostics));
}

}  // namespace

CompileResult compile(const std::string& file, const std::string& text, const CompileOptions& options) {
  static LoweredTexts lowered;
  if (std::optional<CompileResult> known = lowered.find(text, options)) { return *std::move(known); }
  CompileResult result = answerOf<CompileResult>({Request::What::Compile, file, text, options});
  lowered.keep(text, options, result);
  return result;
}

TextSummary summarize(const std::string& text, const CompileOptions& options) {
  try {
    return answerOf<TextSummary>({Request::What::Summarize, {}, text, options});
  } catch (const CompileError& ended) {  // the compiler was ended: a text that it can read has a summary
    TextSummary summary;
    summary.diagnostics = ended.diagnostics();
    return summary;
  }
}

DeviceText deviceText(const std::string& file, const std::string& text, const CompileOptions& options) {
  return answerOf<DeviceText>({Request::What::DeviceText, file, text, options});
}

InstrumentedText instrument(const std::string& file, const std::string& text, const CompileOptions& options) {
  return answerOf<InstrumentedText>({Request::What::Instrument, file, text, options});
}

}  // namespace haloscope::frontend
