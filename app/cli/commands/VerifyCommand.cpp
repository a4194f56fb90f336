#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "catalogue/Catalogue.h"
#include "commands/Command.h"
#include "driver/Device.h"
#include "language/Text.h"
#include "measuring/GpuGate.h"
#include "measuring/Verify.h"
#include "opening/OpenedFile.h"
#include "opening/OpenedFolder.h"
#include "options/GpuOption.h"
#include "options/KernelArguments.h"
#include "options/KernelOptions.h"
#include "options/ProgramOptions.h"
#include "reports/VerifiedProgram.h"
#include "running/ProgramFiles.h"
#include "running/ProgramRun.h"
#include "tables/BindingsJson.h"
#include "text/Print.h"

/// `haloscope verify`: kernels against their references and on the GPU, programs launch by launch.
namespace haloscope {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using measuring::Verification;

struct VerifyCommandOptions {
  std::vector<std::string> ids;  ///< variants, or paths of .cu files and folders; empty: all variants
  KnobOptions knobs;
  std::vector<std::string> data;
  measuring::VerifyOptions verify;
  VerifyLimits limits;
  ProgramOptions program;
  bool recording = false, json = false;

  /// Sizes that are given are not those of a program.
  [[nodiscard]] bool executesPrograms() const {
    return !program.noHost && !knobs.given() && data.empty() && !recording && !verify.insist;
  }
};

/// The kernels of a file that is opened.
std::vector<KernelFile> kernelsOf(const std::string& path, const VerifyCommandOptions& options) {
  KernelOptions given;  // the launch options of a file mean the same as for a check
  given.knobs = options.knobs;
  given.program = options.program;
  const opening::OpenedFile opened = openWithOptions(path, given).file;
  if (opened.kernels.empty() && !opened.unread.empty()) { throw opened.unread.front().errors.front(); }
  if (opened.kernels.empty()) {
    const bool said = !opened.diagnostics.empty();
    throw SourceError(path, said ? opened.diagnostics.front().where : SourceRange{},
                      said ? opened.diagnostics.front().message : tr("no kernel"));
  }
  std::vector<KernelFile> files;
  for (const opening::ProposedKernel& kernel : opened.kernels) { files.push_back(kernel.file); }
  return files;
}

/// Variants, and the kernels of files and folders.
std::vector<KernelFile> kernelsOfTarget(const Catalogue& catalogue, const std::string& id,
                                        const VerifyCommandOptions& options) {
  if (!id.ends_with(".cu") && !fs::is_directory(id)) {
    options.program.expectNone(id);
    return {catalogue.at(id)};
  }
  if (!fs::is_directory(id)) { return kernelsOf(id, options); }
  std::vector<KernelFile> files;
  for (const fs::path& path : opening::kernelFilesIn(id)) {
    for (KernelFile& file : kernelsOf(path.string(), options)) { files.push_back(std::move(file)); }
  }
  return files;
}

/// One text that cannot be read must not suppress the results of the others; alone, it is bad input.
std::vector<Verification> verifyOne(const KernelFile& file, const Bindings& bindings, measuring::GpuGate& gate,
                                    const measuring::VerifyOptions& options, bool alone) {
  try {
    return measuring::verify(file, bindings, gate, options);
  } catch (const SourceError& error) {
    if (alone) { throw; }
    return {{.where = "emulator", .comparedWith = "", .message = error.what()}};
  }
}

Json toJson(const KernelFile& file, const Bindings& bindings, const inputs::ChosenData& data, const std::string& type,
            const Verification& one) {
  const bool known = one.compared() && std::isfinite(one.maxRelativeError);
  Json json = {{"id", file.id},
               {"where", one.where},
               {"compared_with", one.compared() ? Json(one.comparedWith) : Json(nullptr)},
               {"max_rel_error", known ? Json(one.maxRelativeError) : Json(nullptr)},
               {"tolerance", one.tolerance},
               {"points", one.comparedWith == "reference" ? Json(one.points) : Json(nullptr)},
               {"size", sizeToJson(file, bindings)},
               {"data", dataToJson(data)},
               {"precision", type.empty() ? Json(nullptr) : Json(type)},
               {"pass", one.compared() || one.failed() ? Json(one.pass) : Json(nullptr)}};
  if (!one.message.empty()) { json["message"] = one.message; }
  return json;
}

void print(const KernelFile& file, const std::string& type, const Verification& one) {
  std::string result = one.message;
  if (one.compared()) {
    const bool none = one.comparedWith == "reference" && one.points == 0 && one.pass;
    result = none ? tr("no point is computed at this size; all keep their value")
                  : trf("max relative error {:.2e} (tolerance {:.1e}){}", one.maxRelativeError, one.tolerance,
                        one.comparedWith == "emulator" ? tr(", compared with the emulator") : "");
  } else if (!one.failed()) {
    result = tr("no fault; no reference to compare with");
  }
  printText("{:<40}{:<18}{}  {}\n", file.id + (type.empty() ? "" : " " + type), tr(one.where), result,
            !one.compared() && !one.failed() ? tr("not compared")
            : one.pass                       ? tr("pass")
                                             : tr("FAIL"));
  std::fflush(stdout);
}

Json toJson(const std::string& target, const std::string& where, const VerifiedLaunch& launch) {
  const auto difference = [](const measuring::Agreement& one) {
    return std::isfinite(one.difference) ? Json(one.difference) : Json(nullptr);
  };
  const bool compared = launch.onGpu.has_value();
  const Dim3& grid = launch.configuration.grid;
  const Dim3& block = launch.configuration.block;
  Json json = {{"id", target},
               {"where", compared ? where : "emulator"},
               {"launch", launch.number},
               {"kernel", launch.kernel},
               {"file", launch.file},
               {"line", launch.line},
               {"grid", {grid.x, grid.y, grid.z}},
               {"block", {block.x, block.y, block.z}},
               {"arrays", launch.arrays},
               {"compared_with", compared ? Json("emulator") : Json(nullptr)},
               {"identical", compared ? Json(launch.onGpu->identical) : Json(nullptr)},
               {"max_rel_error", compared ? difference(launch.onGpu->separate) : Json(nullptr)},
               {"max_rel_error_fused", compared ? difference(launch.onGpu->fused) : Json(nullptr)},
               {"tolerance", compared ? Json(launch.onGpu->separate.tolerance) : Json(nullptr)},
               {"pass", compared || launch.faulty ? Json(!launch.failed()) : Json(nullptr)}};
  if (!launch.message.empty()) { json["message"] = launch.message; }
  return json;
}

/// The row of a launch, without its number. `times`: that it stands for.
std::string rowText(const VerifiedLaunch& launch, std::size_t times = 1) {
  std::string result = launch.message.empty() ? tr("no fault; no GPU to compare with") : launch.message;
  if (launch.onGpu) {
    result = launch.onGpu->identical ? "identical"
                                     : trf("max relative error {:.2e} (tolerance {:.1e})",
                                           launch.onGpu->separate.difference, launch.onGpu->separate.tolerance);
    result += trf("; with fused multiply-adds {:.2e}", launch.onGpu->fused.difference);
  }
  const std::string shape =
      trf("{} of {}", extentText(launch.configuration.grid), extentText(launch.configuration.block));
  constexpr std::size_t kShown = 3;
  const std::span<const std::string> shown(launch.arrays.data(), std::min(launch.arrays.size(), kShown));
  const std::string arrays = fmt::format("{}{}", fmt::join(shown, ", "), launch.arrays.size() > kShown ? ", …" : "");
  return fmt::format("{:<24} {:<8} {:<22} {:<16} {}  {}",
                     launch.kernel + (times > 1 ? fmt::format(" ×{}", times) : std::string()),
                     trf("line {}", launch.line), shape, arrays, result,
                     launch.failed() ? "FAIL"
                     : launch.onGpu  ? tr("pass")
                                     : tr("not compared"));
}

/// Prints launches; those that follow one another and are alike in one row.
class LaunchRows {
 public:
  void add(const VerifiedLaunch& launch) {
    if (last_ && rowText(*last_) == rowText(launch)) {
      ++times_;
      return;
    }
    flush();
    last_ = launch;
    times_ = 1;
  }
  /// Prints what is still held back.
  void flush() {
    if (!last_) { return; }
    const std::size_t first = last_->number;
    const std::string numbers = times_ > 1 ? fmt::format("{}–{}", first, first + times_ - 1) : std::to_string(first);
    printText("{:>7}  {}\n", numbers, rowText(*last_, times_));
    std::fflush(stdout);
    last_.reset();
  }

 private:
  std::optional<VerifiedLaunch> last_;  ///< the first one of those that are held back
  std::size_t times_ = 0;
};

class Verifier {
 public:
  Verifier(const Catalogue& catalogue, const VerifyCommandOptions& options) : catalogue_(catalogue), options_(options) {
    tunables_.knobs = options.knobs;
  }

  ExitCode run() {
    for (const std::string& id : options_.ids) {
      if (fs::is_directory(id)) {
        verifyFolder(id);
      } else if (!options_.executesPrograms() || !verifyProgramOf(id)) {
        verifyKernels(kernelsOfTarget(catalogue_, id, options_), options_.ids.size() == 1);
      }
    }
    if (options_.ids.empty()) {
      options_.program.expectNone(tr("every variant"));
      verifyKernels(catalogue_.kernels(), false);
    }
    if (options_.json) { printJson(list_); }
    if (!onGpu_ && !search_.device) { trPrint(stderr, "haloscope: on the emulator only: {}\n", search_.missing); }
    if (failed_) { return ExitCode::Mismatch; }
    if (!uncompared_) { return ExitCode::Good; }
    trPrint(stderr, "haloscope: a kernel without a reference was not compared: that needs a GPU\n");
    return ExitCode::Missing;
  }

 private:
  [[nodiscard]] Bindings bindingsOf(const KernelFile& file) const {
    // A file was opened with everything else.
    Bindings bindings = file.isOpened() ? file.bind(tunables_.tunablesOf(file)) : options_.knobs.bindings(file);
    return file.bind(fittingSizes(file, std::move(bindings), options_.verify.data, options_.knobs.namesSet(file)));
  }

  void verifyKernels(const std::vector<KernelFile>& files, bool onlyTarget) {
    for (const KernelFile& file : files) {
      const Bindings bindings = bindingsOf(file);
      const std::string type = file.precision ? realTypeName(bindings.at(file.precision->macro)) : "";
      const std::vector<Verification> verifications =
          verifyOne(file, bindings, gate_, options_.verify, onlyTarget && files.size() == 1);
      for (const Verification& one : verifications) {
        failed_ = failed_ || one.failed();
        onGpu_ = onGpu_ || one.where != "emulator";
        list_.push_back(toJson(file, bindings, options_.verify.data, type, one));
        if (!options_.json) { print(file, type, one); }
      }
      uncompared_ = uncompared_ || std::ranges::none_of(verifications, [](const Verification& one) {
                      return one.compared() || one.failed();
                    });
    }
  }

  /// One program; or each of its files, of which none suppresses the results of the others.
  void verifyFolder(const std::string& folder) {
    try {
      if (options_.executesPrograms() && verifyProgramOf(folder)) { return; }
    } catch (const InputError&) {}  // several programs
    for (const fs::path& path : opening::kernelFilesIn(folder)) {
      try {
        if (options_.executesPrograms() && verifyProgramOf(path.string())) { continue; }
        verifyKernels(kernelsOf(path.string(), options_), false);
      } catch (const std::exception& error) {
        failed_ = true;
        list_.push_back({{"id", path.string()}, {"pass", false}, {"message", error.what()}});
        trPrint(stderr, "haloscope: {}\n", error.what());
      }
    }
  }

  /// Whether the target is a program that launched something.
  bool verifyProgramOf(const std::string& target) {
    if (!target.ends_with(".cu") && !fs::is_directory(target)) { return false; }
    const running::ProgramFiles program = running::readProgram(target);
    if (!running::definesMain(program.program)) { return false; }
    if (!options_.json) { printText("{}\n", target); }
    LaunchRows rows;
    std::map<std::string, bool> kernels;  // whether one of its launches was compared
    const running::ProgramRun run = verifyProgram(
        program, options_.program.runOptions(measuring::defaultGpu()), search_.device, options_.limits,
        [&](const VerifiedLaunch& launch) {
          failed_ = failed_ || launch.failed();
          onGpu_ = onGpu_ || launch.onGpu;
          bool& compared = kernels[launch.kernel];
          compared = compared || launch.onGpu || launch.faulty;
          list_.push_back(toJson(target, search_.device ? search_.device->properties().name : "", launch));
          if (!options_.json) { rows.add(launch); }
        });
    rows.flush();
    if (!run.sizesText.empty() && !options_.json) { printText("{}\n", run.sizesText); }
    for (const auto& [kernel, compared] : kernels) { uncompared_ = uncompared_ || !compared; }
    const bool cutShort = run.launches.size() > options_.limits.launches;
    if (cutShort) {
      trPrint(stderr, "haloscope: {}: its first {} launches; --launches N compares more\n", target,
              options_.limits.launches);
    } else if (!run.message.empty()) {
      trPrint(stderr, "haloscope: {}: {}\n", target, run.message);
    }
    if (run.end == running::ProgramEnd::Crashed || run.end == running::ProgramEnd::Uncaught) { failed_ = true; }
    if (kernels.empty()) {
      trPrint(stderr, "haloscope: {}: the program launched nothing; its kernels are verified one by one\n", target);
    }
    return !kernels.empty();
  }

  const Catalogue& catalogue_;
  const VerifyCommandOptions& options_;
  KernelOptions tunables_;
  gpu::DeviceSearch search_ = gpu::findDevice();
  measuring::GpuGate gate_;
  Json list_ = Json::array();
  bool failed_ = false, uncompared_ = false, onGpu_ = false;
};

ExitCode verifyRecordingsOf(const Catalogue& catalogue, const VerifyCommandOptions& options) {
  std::vector<KernelFile> files = options.ids.empty() ? catalogue.kernels() : std::vector<KernelFile>{};
  for (const std::string& id : options.ids) {
    for (KernelFile& file : kernelsOfTarget(catalogue, id, options)) { files.push_back(std::move(file)); }
  }
  KernelOptions tunables;
  tunables.knobs = options.knobs;
  std::vector<Bindings> all;
  for (const KernelFile& file : files) {
    all.push_back(file.isOpened() ? file.bind(tunables.tunablesOf(file)) : options.knobs.bindings(file));
  }
  return verifyRecordings(files, all, options.json);
}

ExitCode verify(const Catalogue& catalogue, const VerifyCommandOptions& options) {
  if (options.verify.insist) {
    const gpu::DeviceSearch search = gpu::findDevice();
    if (!search.device) { throw MissingError(trf("--insist needs an NVIDIA GPU: {}", search.missing)); }
  }
  return options.recording ? verifyRecordingsOf(catalogue, options) : Verifier(catalogue, options).run();
}

CommandRun addVerify(CLI::App& command) {
  const auto options = std::make_shared<VerifyCommandOptions>();
  command.add_option("ID", options->ids, tr("Variants, .cu files or folders; all variants when none is named"));
  addKnobs(command, options->knobs);
  addData(command, options->data);
  command.add_flag("--insist", options->verify.insist,
                   tr("Also run kernels on the GPU in which the emulator finds a fault, each in a child process"));
  command
      .add_flag("--recording", options->recording,
                tr("Instead: record blocks step by step on the GPU, and compare them with the emulator's recordings"))
      ->excludes("--insist")
      ->excludes("--data");
  command.add_option("--launches", options->limits.launches, tr("Of a program: its first launches (20)"))
      ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000}));
  options->program.addWithNoHostTo(command);
  addJson(command, options->json);
  return [options](const CommandContext& context) {
    options->verify.data = chosenData(options->data);
    return verify(context.catalogue, *options);
  };
}

}  // namespace

extern const Command verifyCommand{
    "verify", trMark("Compare kernels with a reference, and a program's launches on the GPU with the emulator's"),
    addVerify};

}  // namespace haloscope
