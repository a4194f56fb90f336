#include "commands/Commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>
#include <utility>

#include "commands/BindingsJson.h"
#include "commands/CountProgress.h"
#include "commands/Dim3Json.h"
#include "experiment/Experiment.h"
#include "gpu/Device.h"
#include "opening/OpenedFile.h"
#include "program/BookSection.h"

namespace haloscope {

namespace {

using Json = nlohmann::ordered_json;

void print(const Json& document) { std::cout << document.dump(2) << '\n'; }

Json toJson(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

template <typename Knob>
Json knobsToJson(const std::vector<Knob>& knobs) {
  Json list = Json::array();
  for (const Knob& knob : knobs) {
    list.push_back({{"name", knob.name},
                    {"min", knob.minimum},
                    {"max", knob.maximum},
                    {"default", knob.defaultValue},
                    {"meaning", knob.meaning}});
  }
  return list;
}

Json precisionToJson(const KernelFile& file) {
  if (!file.precision) { return nullptr; }
  Json types = Json::array();
  for (const ValueType type : file.precision->types) { types.push_back(realTypeName(type)); }
  return {{"macro", file.precision->macro}, {"types", types}};
}

template <typename Knob>
void printKnobs(const std::vector<Knob>& knobs) {
  for (const Knob& knob : knobs) {
    fmt::print("  {:<36}{} {}…{}, default {}: {}\n", "", knob.name, knob.minimum, knob.maximum, knob.defaultValue,
               knob.meaning);
  }
}

Json textsOf(const std::vector<Expression>& expressions) {
  Json list = Json::array();
  for (const Expression& expression : expressions) { list.push_back(expression.text()); }
  return list;
}

/// The size as the command line means it: the one value of all sizes, or each by its name when they differ.
Json sizeToJson(const KernelFile& file, const Bindings& bindings) {
  Json each = Json::object();
  bool same = true;
  for (const SizeParameter& size : file.sizes) {
    each[size.name] = bindings.at(size.name);
    same = same && bindings.at(size.name) == bindings.at(file.sizes.front().name);
  }
  return same && !file.sizes.empty() ? each[file.sizes.front().name] : each;
}

/// Statements that accessed memory, in the order of the text.
Json requestsToJson(const experiment::Experiment& experiment) {
  Json list = Json::array();
  const std::vector<analysis::RequestTotals>& statements = experiment.requests.statements;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const analysis::RequestTotals& totals = statements[i];
    if (totals.globalRequests + totals.sharedRequests + totals.constantRequests == 0) { continue; }
    const SourceRange& range = experiment.program->statements[i].range;
    Json entry = {{"line", range.line},
                  {"column", range.column},
                  {"lanes_active", kWarpSize * experiment.grid.statements[i].laneEfficiency()}};
    if (totals.globalRequests > 0) {
      entry["global"] = {{"requests", totals.globalRequests},
                         {"sectors", totals.sectors},
                         {"ideal_sectors", totals.idealSectors},
                         {"sectors_per_request", totals.sectorsPerRequest()}};
    }
    if (totals.sharedRequests > 0) {
      entry["shared"] = {{"requests", totals.sharedRequests},
                         {"passes", totals.sharedPasses},
                         {"ideal_passes", totals.idealSharedPasses},
                         {"bank_degree_mean", totals.meanBankDegree()},
                         {"bank_degree_max", totals.bankDegreeMax}};
    }
    if (totals.constantRequests > 0) {
      entry["constant"] = {{"requests", totals.constantRequests},
                           {"passes", totals.constantPasses},
                           {"passes_per_request", totals.passesPerConstantRequest()}};
    }
    list.push_back(std::move(entry));
  }
  return list;
}

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
    KernelOptions given;  // what is said of a file's launch is meant as for a check
    given.knobs = knobs;
    const opening::OpenedFile opened = openAsTold(id, given).file;
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

}  // namespace

std::int64_t parseCell(const std::string& text, const std::string& name, const std::vector<std::int64_t>& extents) {
  std::vector<std::int64_t> indices;
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  while (at <= end) {
    std::int64_t index = 0;
    const auto [after, error] = std::from_chars(at, end, index);
    if (error != std::errc() || (after != end && *after != ',')) {
      throw InputError(fmt::format("--output-cell {}: write I,J,K", text));
    }
    indices.push_back(index);
    at = after + 1;
  }
  if (indices.size() != extents.size()) {
    throw InputError(fmt::format("--output-cell {}: {} has {} {}", text, name, extents.size(),
                                 extents.size() == 1 ? "axis" : "axes"));
  }
  std::int64_t element = 0;
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    if (indices[axis] < 0 || indices[axis] >= extents[axis]) {
      throw InputError(fmt::format("--output-cell {}: axis {} of {} has {} points", text, axis, name, extents[axis]));
    }
    element = element * extents[axis] + indices[axis];
  }
  return element;
}

ExitCode listCommand(const Catalogue& catalogue, bool json) {
  if (json) {
    Json list = Json::array();
    for (const KernelFile& file : catalogue.kernels()) {
      list.push_back({{"id", file.id},
                      {"chapter", file.chapter},
                      {"section", sectionOf(file.book)},
                      {"title", file.title},
                      {"source", file.path.string()},
                      {"book", file.book},
                      {"idea", file.idea},
                      {"tunables", knobsToJson(file.tunables)},
                      {"sizes", knobsToJson(file.sizes)},
                      {"precision", precisionToJson(file)},
                      {"requires", textsOf(file.conditions)},
                      {"formula", file.opPerByte ? Json(file.opPerByte->text()) : Json(nullptr)}});
    }
    print(list);
    return ExitCode::Good;
  }
  for (const BookSection& section : bookSections(catalogue)) {
    fmt::print("{}, {}\n", section.chapter, section.heading);
    for (const KernelFile* file : section.variants) {
      fmt::print("  {:<34}{}\n", file->id, file->title);
      fmt::print("  {:<34}{}\n", "", file->idea);
      printKnobs(file->sizes);
      printKnobs(file->tunables);
      for (const Expression& condition : file->conditions) { fmt::print("  {:<36}needs {}\n", "", condition.text()); }
      if (file->precision) { fmt::print("  {:<36}{}: {}\n", "", file->precision->macro, file->precision->typeNames()); }
    }
  }
  return ExitCode::Good;
}

ExitCode countCommand(const Catalogue& catalogue, const std::string& id, const KernelOptions& options, bool json) {
  const ChosenKernel chosen = chosenKernel(catalogue, id, options);
  const KernelFile& file = chosen.file;
  experiment::RunOptions run;
  run.record = false;
  const auto experiment = [&] {
    CountProgress progress(file.configuration(file.bind(chosen.bindings)));
    simt::Observer* const beside[] = {&progress.blocks()};
    run.beside = beside;
    return experiment::run(file, {file.id, chosen.bindings, std::nullopt}, run);
  }();
  experiment::throwIfFaulty(file, experiment->fault);
  for (const std::string& warning : experiment->warnings) { std::cerr << "haloscope: warning: " << warning << '\n'; }
  const experiment::LaunchCounts& counts = experiment->counts;
  const experiment::OpPerByte& opb = experiment->opPerByte;
  if (json) {
    print({{"kernel", id},
           {"size", sizeToJson(file, experiment->bindings)},
           {"bindings", bindingsToJson(file, experiment->bindings)},
           {"grid", toJson(experiment->configuration.grid)},
           {"block", toJson(experiment->configuration.block)},
           {"threads_per_block", experiment->configuration.threadsPerBlock()},
           {"shared_bytes_per_block", counts.sharedBytesPerBlock},
           {"flops", counts.flops},
           {"global_load_bytes", counts.globalLoadBytes},
           {"global_store_bytes", counts.globalStoreBytes},
           {"constant_load_bytes", counts.constantLoadBytes},
           {"shared_load_bytes", counts.sharedLoadBytes},
           {"shared_store_bytes", counts.sharedStoreBytes},
           {"l1_sectors", experiment->requests.all.sectors},
           {"sectors_per_request", experiment->requests.all.sectorsPerRequest()},
           {"bank_degree_max", experiment->requests.all.bankDegreeMax},
           {"statements", requestsToJson(*experiment)},
           {"halo_fraction", toJson(counts.haloFraction)},
           {"interior_products",
            {{"all", counts.products.all},
             {"by_zero", counts.products.byZero},
             {"loads_for_zero", counts.products.loadsForZero}}},
           {"interior_size", bindingsToJson(file, counts.interiorBindings)},
           {"warnings", experiment->warnings},
           {"op_per_byte",
            {{"formula", toJson(opb.formula)},
             {"executed", opb.executed},
             {"interior_block", opb.interiorBlock},
             {"with_stores", opb.withStores}}}});
    return ExitCode::Good;
  }
  const Dim3& grid = experiment->configuration.grid;
  const Dim3& block = experiment->configuration.block;
  fmt::print("{} ({})\n", id, file.title);
  for (const auto& [name, value] : experiment->bindings) {
    fmt::print("  {:<28}{:>16}\n", name, file.valueText(name, value));
  }
  fmt::print("  {:<28}{:>16}\n", "grid", fmt::format("{}×{}×{}", grid.x, grid.y, grid.z));
  fmt::print("  {:<28}{:>16}\n", "block", fmt::format("{}×{}×{}", block.x, block.y, block.z));
  fmt::print("  {:<28}{:>16}\n", "threads per block", block.count());
  fmt::print("  {:<28}{:>16} B\n", "shared memory per block", counts.sharedBytesPerBlock);
  fmt::print("  {:<28}{:>16}   executed\n", "floating-point operations", counts.flops);
  fmt::print("  {:<28}{:>16} B executed\n", "global loads", counts.globalLoadBytes);
  fmt::print("  {:<28}{:>16} B executed\n", "global stores", counts.globalStoreBytes);
  const analysis::RequestTotals& requests = experiment->requests.all;
  fmt::print("  {:<28}{:>16}   of 32 B, {:.2f} per request of a warp\n", "L1 sectors", requests.sectors,
             requests.sectorsPerRequest());
  if (requests.sharedRequests > 0) {
    fmt::print("  {:<28}{:>16}   words of one bank in a request, at most; {:.2f} on average\n", "bank-conflict degree",
               requests.bankDegreeMax, requests.meanBankDegree());
  }
  if (requests.constantRequests > 0) {
    fmt::print("  {:<28}{:>16.2f}   passes per request; 1 is a broadcast\n", "constant memory",
               requests.passesPerConstantRequest());
  }
  if (counts.haloFraction) {
    fmt::print("  {:<28}{:>15.1f} % of an interior block's input tile\n", "halo", 100 * *counts.haloFraction);
  }
  if (const analysis::Products& products = counts.products; products.byZero > 0) {
    const auto all = static_cast<double>(products.all);
    fmt::print("  {:<28}{:>15.1f} % of an interior block's, {} of {}; {} of the values had been loaded for it\n",
               "multiplications by zero", 100 * static_cast<double>(products.byZero) / all, products.byZero,
               products.all, products.loadsForZero);
  }
  if (opb.formula) {
    fmt::print("  {:<28}{:>16.3f}   formula: {}\n", "OP/B, book", *opb.formula, file.opPerByte->text());
  }
  fmt::print("  {:<28}{:>16.3f}   executed, loads only\n", "OP/B, whole grid", opb.executed);
  std::string at;  // of which grid, when this one has no interior block
  if (counts.interiorBindings != experiment->bindings) {
    for (const SizeParameter& size : file.sizes) {
      if (counts.interiorBindings.contains(size.name)) {
        at += fmt::format(" {} = {}", size.name, counts.interiorBindings.at(size.name));
      }
    }
    at = at.empty() ? "; no size gives one" : "; this grid has none, one of" + at;
  }
  fmt::print("  {:<28}{:>16.3f}   executed, loads only{}\n", "OP/B, interior block", opb.interiorBlock, at);
  fmt::print("  {:<28}{:>16.3f}   executed, whole grid\n", "OP/B, loads and stores", opb.withStores);
  return ExitCode::Good;
}

ExitCode verifyCommand(const Catalogue& catalogue, const std::vector<std::string>& ids, const KnobOptions& knobs,
                       const measuring::VerifyOptions& options, bool recording, bool json) {
  if (options.insist) {
    const gpu::DeviceSearch search = gpu::findDevice();
    if (!search.device) { throw MissingError("--insist is about an NVIDIA GPU: " + search.missing); }
  }
  Json list = Json::array();
  bool allPass = true;
  const std::vector<KernelFile> files = chosenToVerify(catalogue, ids, knobs);
  KernelOptions tunables;  // a file was opened with everything else
  tunables.knobs = knobs;
  const auto bindingsOf = [&](const KernelFile& file) {
    return file.isOpened() ? file.bind(tunables.tunablesOf(file)) : knobs.bindings(file);
  };
  if (recording) {
    std::vector<Bindings> all;
    for (const KernelFile& file : files) { all.push_back(bindingsOf(file)); }
    return recordingCommand(files, all, json);
  }
  for (const KernelFile& file : files) {
    const Bindings bindings = bindingsOf(file);
    const std::string typeName = file.precision ? realTypeName(bindings.at(file.precision->macro)) : "";
    std::vector<measuring::Verification> verifications;
    try {
      verifications = measuring::verify(file, bindings, options);
    } catch (const SourceError& error) {
      // One text that cannot be read must not cost the results of the others; alone, it is bad input.
      if (files.size() == 1) { throw; }
      verifications.push_back({.where = "emulator", .comparedWith = "", .message = error.what()});
    }
    for (const measuring::Verification& verification : verifications) {
      allPass = allPass && verification.pass;
      const bool ran = verification.message.empty();
      const bool compared = ran && !verification.comparedWith.empty();
      list.push_back(
          {{"id", file.id},
           {"where", verification.where},
           {"compared_with", verification.comparedWith.empty() ? Json(nullptr) : Json(verification.comparedWith)},
           {"max_rel_error", compared && std::isfinite(verification.maxRelativeError)
                                 ? Json(verification.maxRelativeError)
                                 : Json(nullptr)},
           {"tolerance", verification.tolerance},
           {"points", verification.comparedWith == "reference" ? Json(verification.points) : Json(nullptr)},
           {"size", sizeToJson(file, bindings)},
           {"precision", typeName.empty() ? Json(nullptr) : Json(typeName)},
           {"pass", verification.pass}});
      if (!ran) { list.back()["message"] = verification.message; }
      if (!json) {
        const std::string beside = verification.comparedWith == "emulator" ? ", beside the emulator" : "";
        const bool none = verification.comparedWith == "reference" && verification.points == 0;
        const std::string result = none && verification.pass ? "no point is computed at this size; all keep their value"
                                   : compared
                                       ? fmt::format("max relative error {:.2e} (tolerance {:.1e}){}",
                                                     verification.maxRelativeError, verification.tolerance, beside)
                                   : ran ? "no fault; nothing says what is right"
                                         : verification.message;
        fmt::print("{:<40}{:<18}{}  {}\n", file.id + (typeName.empty() ? "" : " " + typeName), verification.where,
                   result, verification.pass ? "pass" : "FAIL");
        std::fflush(stdout);
      }
    }
  }
  if (json) { print(list); }
  const bool onGpu = std::ranges::any_of(list, [](const Json& one) { return one["where"] != "emulator"; });
  if (!onGpu) {
    const gpu::DeviceSearch search = gpu::findDevice();
    if (!search.device) { fmt::print(stderr, "haloscope: on the emulator alone: {}\n", search.missing); }
  }
  return allPass ? ExitCode::Good : ExitCode::Mismatch;
}

ExitCode lowerCommand(const Catalogue& catalogue, const std::string& id, const KnobOptions& knobs) {
  const KernelFile& file = catalogue.at(id);
  std::cout << print(experiment::compile(file, knobs.bindings(file)));
  return ExitCode::Good;
}

}  // namespace haloscope
