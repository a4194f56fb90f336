#include "commands/CompareOptions.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "language/Text.h"
#include "options/KernelOptions.h"
#include "program/SourceLocation.h"
#include "state/Comparison.h"

namespace haloscope {

CLI::Option* CompareOptions::addTo(CLI::App& command) {
  static const std::map<std::string, LineUp> kLineUps = {{"interval", LineUp::Interval}, {"cell", LineUp::Cell}};
  CLI::Option* compared =
      command.add_option("--compare", targets, tr("One to three variants or .cu files to compare with it in lockstep"));
  command
      .add_option("--line-up", lineUp,
                  tr("With --compare: align by barrier interval or by output cell: interval or cell"))
      ->transform(CLI::CheckedTransformer(kLineUps, CLI::ignore_case).description(""))
      ->default_str("interval")
      ->needs(compared);
  return compared;
}

void CompareOptions::apply(AppState& state, const KernelFile& first, const ProgramOptions& program) const {
  state.comparison.lineUp = lineUp;
  for (const KernelFile& file : kernelsToCompare(state.catalogue, first, targets, program)) {
    const bool related = file.chapter == first.chapter || file.isOpened() || first.isOpened();
    if (!related) {  // the command "compare" says how large the outputs are
      throw InputError(
          trf("{} has no output cell in common with {}: variants of one chapter can be compared", file.id, first.id));
    }
    state.comparison.initial.push_back(file.id);
  }
}

std::vector<KernelFile> kernelsToCompare(Catalogue& catalogue, const KernelFile& first,
                                         const std::vector<std::string>& targets, const ProgramOptions& program) {
  if (targets.size() >= Comparison::kMost) {
    throw InputError(trf("--compare: at most {} variants are compared with the first", Comparison::kMost - 1));
  }
  if (first.isOpened()) {  // under the path by which the window knows it
    KernelFile opened = first;
    opened.path = std::filesystem::absolute(first.path).lexically_normal();
    catalogue.put(std::move(opened));
  }
  KernelOptions options;
  options.program.noHost = program.noHost;
  std::vector<KernelFile> others;
  for (const std::string& target : targets) {
    KernelFile file = chosenKernel(catalogue, target, options).file;
    if (file.id == first.id || std::ranges::find(others, file.id, &KernelFile::id) != others.end()) {
      throw InputError(trf("{}: named twice", target));
    }
    if (file.isOpened()) { catalogue.put(file); }
    others.push_back(std::move(file));
  }
  return others;
}

}  // namespace haloscope
