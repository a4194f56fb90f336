// What a page asks of the module: to open a kernel with its stored programs, and to execute it. Requests and answers
// are containers (handout/Columns.h): a JSON text and bytes. An answer is {"error": "…"} where something is wrong.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "catalogue/StoredKernelFile.h"
#include "checking/Check.h"
#include "experiment/Experiment.h"
#include "experiment/InputData.h"
#include "handout/ChapterText.h"
#include "handout/Columns.h"
#include "handout/RecordingData.h"
#include "inputs/ChosenData.h"
#include "language/Language.h"
#include "language/MoFile.h"
#include "language/Text.h"
#include "module/Message.h"
#include "module/Request.h"
#include "module/StoredFrontend.h"
#include "program/NumberText.h"
#include "program/SourceLocation.h"
#include "simt/WarpOrderNames.h"
#include "text/JsonText.h"

namespace haloscope::handout {

namespace {

using Json = nlohmann::json;
using experiment::Experiment;

/// A phone has the memory for a few times as much.
constexpr std::int64_t kMostArrayBytes = std::int64_t{48} << 20;

struct OpenedKernel {
  KernelFile file;
  std::shared_ptr<const Experiment> last;
  std::size_t steps = 0;  ///< of it that the page has
};
OpenedKernel kernel;

void open(const Message& message) {
  frontend::offer(programsOf(message));
  kernel = {readStoredFile(message.facts.at("file")), nullptr, 0};
}

experiment::Choice choiceOf(const Json& asked) {
  experiment::Choice choice{.kernel = kernel.file.id};
  choice.bindings = asked.at("bindings").get<Bindings>();
  if (const Json& block = asked.at("block"); block.is_array()) {
    choice.block =
        Dim3{block.at(0).get<std::uint32_t>(), block.at(1).get<std::uint32_t>(), block.at(2).get<std::uint32_t>()};
  }
  choice.withoutBarriers = asked.at("withoutBarriers").get<std::set<int>>();
  for (const auto& [name, order] : simt::kWarpOrders) {
    if (asked.at("order") == name) { choice.order = order; }
  }
  choice.orderSeed = asked.at("seed").get<std::uint64_t>();
  for (const Json& text : asked.at("data")) { inputs::choose(choice.data, text.get<std::string>()); }
  return choice;
}

std::string run(const Json& asked) {
  const experiment::Choice choice = choiceOf(asked);
  const Bindings bindings = kernel.file.bind(choice.bindings);
  const std::int64_t bytes = experiment::arrayBytes(kernel.file, bindings, experiment::compile(kernel.file, bindings));
  if (bytes > kMostArrayBytes) {
    throw InputError(trf("At these sizes the arrays have {}; a page executes up to {}.",
                         byteText(static_cast<std::uint64_t>(bytes)), byteText(kMostArrayBytes)));
  }
  experiment::RunOptions options;
  options.workers = 1;
  options.known = kernel.last;
  kernel.last = experiment::run(kernel.file, choice, options);
  const Experiment& executed = *kernel.last;
  RecordingData recorded = recordingData(executed, {});
  kernel.steps = recorded.steps;
  const Dim3 &grid = executed.configuration.grid, &block = executed.block;
  return container(jsonText(Json{{"caption", captionOf(executed)},
                                 {"counts", countsHtml(executed)},
                                 {"grid", {grid.x, grid.y, grid.z}},
                                 {"block", {block.x, block.y, block.z}}}),
                   recorded.bytes);
}

/// What is wrong with what was executed last: it takes several times as long as to execute it.
std::string check() {
  if (kernel.last == nullptr) { throw InputError(tr("nothing was executed yet")); }
  const checking::CheckReport report = checking::check(*kernel.last);
  return container(jsonText(Json{{"findings", findingsHtml(*kernel.last, &report, kernel.steps)},
                                 {"faulty", faultyOutputs(*kernel.last, &report)}}),
                   {});
}

}  // namespace

std::vector<std::byte> request;
std::string answer;

extern "C" {

/// Room for a request of so many bytes.
[[clang::export_name("room")]] void* haloscopeRoom(std::size_t bytes) {
  request.resize(bytes);
  return request.data();
}
/// The catalogue of the page's language; without it, texts are English.
[[clang::export_name("texts")]] void haloscopeTexts() {
  answerWith([] {
    const auto* const texts = reinterpret_cast<const char*>(request.data());
    setTexts(new MoFile(std::string(texts, request.size()), "page"));  // for ever: see tr()
    return container("{}", {});
  });
}
[[clang::export_name("open")]] void haloscopeOpen() {
  answerWith([] {
    open(opened(request));
    return container("{}", {});
  });
}
[[clang::export_name("run")]] void haloscopeRun() {
  answerWith([] { return run(opened(request).facts); });
}
[[clang::export_name("check")]] void haloscopeCheck() { answerWith(check); }
[[clang::export_name("answer")]] const char* haloscopeAnswer() { return answer.data(); }
[[clang::export_name("answerSize")]] std::size_t haloscopeAnswerSize() { return answer.size(); }

}  // extern "C"

}  // namespace haloscope::handout
