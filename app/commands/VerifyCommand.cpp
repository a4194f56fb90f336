#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "checking/GpuGate.h"
#include "commands/Command.h"
#include "commands/RecordingChecks.h"
#include "gpu/Device.h"
#include "measuring/Verify.h"
#include "opening/OpenedFile.h"
#include "options/BindingsJson.h"
#include "options/KernelArguments.h"
#include "options/KernelOptions.h"
#include "program/Catalogue.h"

/// `haloscope verify`: kernels against their references, and on the GPU.
namespace haloscope {
namespace {

using Json = nlohmann::ordered_json;
using measuring::Verification;

struct VerifyCommandOptions {
  std::vector<std::string> ids;  ///< variants, or paths of .cu files; empty: all variants
  KnobOptions knobs;
  measuring::VerifyOptions verify;
  bool recording = false, json = false;
};

/// Variants, and the kernels of files that are opened.
std::vector<KernelFile> chosenToVerify(const Catalogue& catalogue, const std::vector<std::string>& ids,
                                       const KnobOptions& knobs) {
  std::vector<KernelFile> files;
  if (ids.empty()) { files = catalogue.kernels(); }
  for (const std::string& id : ids) {
    if (!id.ends_with(".cu")) {
      files.push_back(catalogue.at(id));
      continue;
    }
    KernelOptions given;  // the launch options of a file mean the same as for a check
    given.knobs = knobs;
    const opening::OpenedFile opened = openWithOptions(id, given).file;
    if (opened.kernels.empty() && !opened.unread.empty()) { throw opened.unread.front().errors.front(); }
    if (opened.kernels.empty()) {
      const bool said = !opened.diagnostics.empty();
      throw SourceError(id, said ? opened.diagnostics.front().where : SourceRange{},
                        said ? opened.diagnostics.front().message : "no kernel");
    }
    for (const opening::ProposedKernel& kernel : opened.kernels) { files.push_back(kernel.file); }
  }
  return files;
}

/// One text that cannot be read must not suppress the results of the others; alone, it is bad input.
std::vector<Verification> verifyOne(const KernelFile& file, const Bindings& bindings, checking::GpuGate& gate,
                                    const measuring::VerifyOptions& options, bool alone) {
  try {
    return measuring::verify(file, bindings, gate, options);
  } catch (const SourceError& error) {
    if (alone) { throw; }
    return {{.where = "emulator", .comparedWith = "", .message = error.what()}};
  }
}

Json toJson(const KernelFile& file, const Bindings& bindings, const std::string& type, const Verification& one) {
  const bool known = one.compared() && std::isfinite(one.maxRelativeError);
  Json json = {{"id", file.id},
               {"where", one.where},
               {"compared_with", one.compared() ? Json(one.comparedWith) : Json(nullptr)},
               {"max_rel_error", known ? Json(one.maxRelativeError) : Json(nullptr)},
               {"tolerance", one.tolerance},
               {"points", one.comparedWith == "reference" ? Json(one.points) : Json(nullptr)},
               {"size", sizeToJson(file, bindings)},
               {"precision", type.empty() ? Json(nullptr) : Json(type)},
               {"pass", one.compared() || one.failed() ? Json(one.pass) : Json(nullptr)}};
  if (!one.message.empty()) { json["message"] = one.message; }
  return json;
}

void print(const KernelFile& file, const std::string& type, const Verification& one) {
  std::string result = one.message;
  if (one.compared()) {
    const bool none = one.comparedWith == "reference" && one.points == 0 && one.pass;
    result = none ? "no point is computed at this size; all keep their value"
                  : fmt::format("max relative error {:.2e} (tolerance {:.1e}){}", one.maxRelativeError, one.tolerance,
                                one.comparedWith == "emulator" ? ", compared with the emulator" : "");
  } else if (!one.failed()) {
    result = "no fault; no reference to compare with";
  }
  fmt::print("{:<40}{:<18}{}  {}\n", file.id + (type.empty() ? "" : " " + type), one.where, result,
             !one.compared() && !one.failed() ? "not compared"
             : one.pass                       ? "pass"
                                              : "FAIL");
  std::fflush(stdout);
}

ExitCode verify(const Catalogue& catalogue, const VerifyCommandOptions& options) {
  if (options.verify.insist) {
    const gpu::DeviceSearch search = gpu::findDevice();
    if (!search.device) { throw MissingError("--insist needs an NVIDIA GPU: " + search.missing); }
  }
  const std::vector<KernelFile> files = chosenToVerify(catalogue, options.ids, options.knobs);
  KernelOptions tunables;  // a file was opened with everything else
  tunables.knobs = options.knobs;
  const auto bindingsOf = [&](const KernelFile& file) {
    return file.isOpened() ? file.bind(tunables.tunablesOf(file)) : options.knobs.bindings(file);
  };
  if (options.recording) {
    std::vector<Bindings> all;
    for (const KernelFile& file : files) { all.push_back(bindingsOf(file)); }
    return verifyRecordings(files, all, options.json);
  }
  Json list = Json::array();
  bool failed = false, uncompared = false, onGpu = false;
  checking::GpuGate gate;
  for (const KernelFile& file : files) {
    const Bindings bindings = bindingsOf(file);
    const std::string type = file.precision ? realTypeName(bindings.at(file.precision->macro)) : "";
    const std::vector<Verification> verifications = verifyOne(file, bindings, gate, options.verify, files.size() == 1);
    for (const Verification& one : verifications) {
      failed = failed || one.failed();
      onGpu = onGpu || one.where != "emulator";
      list.push_back(toJson(file, bindings, type, one));
      if (!options.json) { print(file, type, one); }
    }
    uncompared = uncompared || std::ranges::none_of(verifications, [](const Verification& one) {
                   return one.compared() || one.failed();
                 });
  }
  if (options.json) { std::cout << list.dump(2) << '\n'; }
  if (!onGpu) {
    const gpu::DeviceSearch search = gpu::findDevice();
    if (!search.device) { fmt::print(stderr, "haloscope: on the emulator only: {}\n", search.missing); }
  }
  if (failed) { return ExitCode::Mismatch; }
  if (!uncompared) { return ExitCode::Good; }
  fmt::print(stderr, "haloscope: a kernel without a reference was not compared: that needs a GPU\n");
  return ExitCode::Missing;
}

CommandRun addVerify(CLI::App& command) {
  const auto options = std::make_shared<VerifyCommandOptions>();
  command.add_option("ID", options->ids, "Variants or .cu files; all variants when none is named");
  addKnobs(command, options->knobs);
  command.add_flag("--insist", options->verify.insist,
                   "Also run kernels on the GPU in which the emulator finds a fault, each in a child process");
  command
      .add_flag("--recording", options->recording,
                "Instead: record blocks step by step on the GPU, and compare them with the emulator's recordings")
      ->excludes("--insist");
  addJson(command, options->json);
  return [options](const CommandContext& context) { return verify(context.catalogue, *options); };
}

}  // namespace

extern const Command verifyCommand{
    "verify", "Compare kernels with a double-precision reference, on the emulator and the GPU", addVerify};

}  // namespace haloscope
