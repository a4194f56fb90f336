#include "reports/RecordingChecks.h"

#include <cmath>
#include <cstdio>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "driver/Device.h"
#include "language/Text.h"
#include "measuring/GpuGate.h"
#include "measuring/VerifyRecording.h"
#include "text/Print.h"

namespace haloscope {

namespace {

using Json = nlohmann::ordered_json;

Json toJson(const recording::RecordingAgreement& agreement) {
  Json json{{"intervals", agreement.intervals},
            {"accesses", agreement.accesses},
            {"assignments", agreement.assignments},
            {"shared_values", agreement.sharedValues},
            {"missing", agreement.missing},
            {"different", agreement.different},
            {"elsewhere", agreement.elsewhere},
            {"uncertain", agreement.uncertain},
            {"indeterminate", agreement.indeterminate},
            {"max_ulps", std::isfinite(agreement.maxUlps) ? Json(agreement.maxUlps) : Json(nullptr)}};
  if (agreement.first) {
    json["first"] = {
        {"step", agreement.first->step}, {"line", agreement.first->where.line}, {"message", agreement.first->sentence}};
  }
  return json;
}

std::string summaryOf(const recording::RecordingAgreement& agreement) {
  const std::string rest = agreement.uncertain == 0 ? "" : trf(" except for {} of atomics", agreement.uncertain);
  if (agreement.same()) { return "bit-identical" + rest; }
  std::string text;
  if (agreement.different > 0) {
    text = trf("{} values differ, by at most {} ulp", agreement.different, agreement.maxUlps);
  }
  if (agreement.missing > 0) { text += trf("{}{} missing", text.empty() ? "" : ", ", agreement.missing); }
  return text;
}

}  // namespace

ExitCode verifyRecordings(const std::vector<KernelFile>& files, const std::vector<Bindings>& bindings, bool json) {
  const gpu::DeviceSearch search = gpu::findDevice();
  if (!search.device) { throw MissingError(trf("--recording needs an NVIDIA GPU: {}", search.missing)); }
  Json list = Json::array();
  bool allPass = true;
  measuring::GpuGate gate;
  for (std::size_t i = 0; i < files.size(); ++i) {
    std::vector<measuring::RecordingVerification> results;
    try {
      results = measuring::verifyRecording(search.device, files[i], bindings[i], gate);
    } catch (const SourceError& error) {
      if (files.size() == 1) { throw; }
      results.emplace_back().message = error.what();
    }
    for (const measuring::RecordingVerification& result : results) {
      allPass = allPass && result.pass();
      Json row{{"id", files[i].id},
               {"where", search.device->properties().name},
               {"block", text(result.block)},
               {"exact", toJson(result.exact)},
               {"contracted", toJson(result.contracted)},
               {"launch_ms", result.runMilliseconds},
               {"read_seconds", result.readSeconds},
               {"compile_seconds", result.compileSeconds},
               {"seconds", result.seconds},
               {"pass", result.pass()}};
      if (!result.message.empty()) { row["message"] = result.message; }
      list.push_back(std::move(row));
      if (json) { continue; }
      const char* verdict = result.pass() ? "pass" : "FAIL";
      if (!result.message.empty()) {
        printText("{:<34}{:<12}{}  {}\n", files[i].id, text(result.block), result.message, verdict);
        continue;
      }
      trPrint(
          "{:<34}{:<12}{:>8} accesses, {:>7} assignments, {:>6} shared values in {:>3} intervals: {}; fused: {}  {}\n",
          files[i].id, text(result.block), result.exact.accesses, result.exact.assignments, result.exact.sharedValues,
          result.exact.intervals, summaryOf(result.exact), summaryOf(result.contracted), verdict);
      for (const auto* agreement : {&result.exact, &result.contracted}) {
        const bool reported = agreement->first && (agreement == &result.exact || agreement->missing > 0);
        if (reported) {
          trPrint("    step {}, line {}: {}\n", agreement->first->step, agreement->first->where.line,
                  agreement->first->sentence);
        }
      }
      std::fflush(stdout);
    }
  }
  if (json) { printJson(list); }
  return allPass ? ExitCode::Good : ExitCode::Mismatch;
}

}  // namespace haloscope
