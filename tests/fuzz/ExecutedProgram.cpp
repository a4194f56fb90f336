#include "ExecutedProgram.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <vector>

#include "SmallLaunch.h"
#include "analysis/BranchDivergence.h"
#include "analysis/Counts.h"
#include "analysis/Footprint.h"
#include "analysis/MemoryRequests.h"
#include "analysis/RecordedRequest.h"
#include "analysis/Recorder.h"
#include "analysis/ThreadWork.h"
#include "analysis/ZeroProducts.h"
#include "faults/FaultChecks.h"
#include "faults/NumberChecks.h"
#include "program/Launch.h"
#include "program/SourceLocation.h"
#include "program/StoredProgram.h"
#include "provenance/DefiniteAssignment.h"
#include "provenance/OutputTrace.h"
#include "provenance/TraceTerms.h"
#include "recording/Cursor.h"
#include "recording/OutputWrites.h"
#include "simt/EndlessLoops.h"
#include "simt/Executor.h"
#include "work/Deadline.h"

namespace haloscope::fuzz {

namespace {

constexpr std::uint64_t kBlockBudget = 20'000;  ///< warp instructions of a block
constexpr std::size_t kRecordingBytes = 4 << 20;
constexpr std::size_t kMostTraced = 4;
constexpr std::chrono::milliseconds kProgramPatience{500};

void countAll(const Program& program, const Launch& before, const simt::ExecuteOptions& execute,
              ExecutedProgram& result) {
  Launch launch = before;
  analysis::RequestCounter requests(program);
  analysis::ZeroProducts products(program);
  analysis::FootprintObserver footprint(program);
  analysis::BranchDivergence divergence(program);
  analysis::ThreadWork work(launch.configuration.block);
  const std::array<simt::Observer*, 5> observers{&requests, &products, &footprint, &divergence, &work};
  simt::ExecuteResult ended;
  static_cast<void>(analysis::count(program, launch, execute, &ended, observers));
  static_cast<void>(requests.totals());
  result.executed = true;
  result.message = ended.message;
}

void checkAll(const Program& program, const Launch& before, const simt::ExecuteOptions& execute) {
  Launch launch = before;
  faults::FaultOptions options;
  options.execute = execute;
  const auto output = std::ranges::find(program.objects, MemorySpace::Global, &MemoryObject::space);
  if (output != program.objects.end()) { options.output = static_cast<ObjectId>(output - program.objects.begin()); }
  for (const faults::Finding& finding : faults::findFaults(program, launch, options).findings) {
    if (finding.message.empty()) { throw std::logic_error("a finding without a message"); }
  }
  faults::NumberChecks numbers(program);
  launch = before;
  simt::execute(program, launch, numbers.observers(), execute);
  static_cast<void>(numbers.findings());
  static_cast<void>(numbers.notes());
}

void traceAll(const Program& program, const Launch& launch, const std::stop_token& stop) {
  const provenance::TracedBlock traced(program, launch, kFirstBlock, {.stop = stop});
  for (ObjectId object = 0; object < program.objects.size(); ++object) {
    if (program.objects[object].space != MemorySpace::Global) { continue; }
    const std::vector<std::int64_t> written = traced.written(object);
    for (std::size_t i = 0; i < std::min(written.size(), kMostTraced); ++i) {
      static_cast<void>(traced.trace(object, written[i]));
    }
  }
}

void replayRecording(const std::shared_ptr<const Program>& program, const Launch& launch, const std::stop_token& stop,
                     ExecutedProgram& result) {
  const auto recording =
      analysis::record(program, launch, kFirstBlock, {.memoryBudget = kRecordingBytes, .stop = stop});
  recording::Cursor cursor(recording);
  result.steps = cursor.end();
  cursor.goTo(cursor.end());
  cursor.previousPlane();
  cursor.goTo(cursor.end() / 2);
  cursor.nextInterval();
  cursor.goTo(0);
  for (const recording::AccessGroup& access : recording->accesses) {
    if (analysis::beginsRequest(*recording, access)) { static_cast<void>(analysis::requestOf(*recording, access)); }
  }
  for (ObjectId object = 0; object < program->objects.size(); ++object) {
    static_cast<void>(recording::OutputWrites(*recording, object));
  }
}

}  // namespace

ExecutedProgram executeStored(std::span<const std::byte> bytes) {
  ExecutedProgram result;
  std::shared_ptr<const Program> program;
  try {
    program = std::make_shared<const Program>(readProgram(bytes));
  } catch (const InputError& error) {
    result.refusal = error.message();
    if (result.refusal.empty()) { throw std::logic_error("a refusal without a message"); }
    return result;
  }
  // What is read is what was stored.
  if (!(readProgram(store(*program)) == *program)) { throw std::logic_error("a program is stored as another one"); }
  static_cast<void>(print(*program));
  static_cast<void>(provenance::possiblyUnassigned(*program));
  for (std::uint32_t loop = 0; loop < program->loops.size(); ++loop) {
    static_cast<void>(simt::controlOf(*program, loop));
  }
  const work::Deadline deadline(kProgramPatience);
  simt::ExecuteOptions execute;
  execute.workers = 1;
  execute.instructionBudget = kBlockBudget;
  execute.stop = deadline.token();
  try {
    const Launch launch = smallLaunch(*program);
    countAll(*program, launch, execute, result);
    checkAll(*program, launch, execute);
    replayRecording(program, launch, deadline.token(), result);
    traceAll(*program, launch, deadline.token());
  } catch (const InputError& error) { result.message = error.message(); }
  return result;
}

}  // namespace haloscope::fuzz
