#include "options/OutputCell.h"

#include <fmt/format.h>

#include <charconv>
#include <system_error>

#include "figures/InteriorCount.h"
#include "language/Text.h"
#include "program/SourceLocation.h"
#include "provenance/WritingBlock.h"

namespace haloscope {

std::int64_t parseCell(const std::string& text, const std::string& name, const std::vector<std::int64_t>& extents) {
  std::vector<std::int64_t> indices;
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  while (at <= end) {
    std::int64_t index = 0;
    const auto [after, error] = std::from_chars(at, end, index);
    if (error != std::errc() || (after != end && *after != ',')) {
      throw InputError(trf("--output-cell {}: write I,J,K", text));
    }
    indices.push_back(index);
    at = after + 1;
  }
  if (indices.size() != extents.size()) {
    throw InputError(trn("--output-cell {}: {} has {} axis", "--output-cell {}: {} has {} axes", extents.size(), text,
                         name, extents.size()));
  }
  std::int64_t element = 0;
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    if (indices[axis] < 0 || indices[axis] >= extents[axis]) {
      throw InputError(trf("--output-cell {}: axis {} of {} has {} points", text, axis, name, extents[axis]));
    }
    element = element * extents[axis] + indices[axis];
  }
  return element;
}

WrittenCell experimentWriting(const KernelFile& file, experiment::Choice choice, const std::string& cell) {
  experiment::RunOptions run;
  run.countGrid = false;
  WrittenCell written{experiment::run(file, choice, run), 0};
  const experiment::Experiment& middle = *written.experiment;
  const ObjectId output = middle.footprint.output;
  if (output == kNone) {
    const std::string nothing = figures::nothingComputed(file, middle.bindings);
    throw InputError(nothing.empty() ? trf("--output-cell {}: the block writes no array", cell)
                                     : fmt::format("--output-cell {}: {}", cell, nothing));
  }
  const Program& program = *middle.program;
  written.element = parseCell(cell, program.objects[output].name, middle.launch->arrays[output].extents);
  const auto block = provenance::blockWriting(program, *middle.launch, output, written.element);
  if (!block) { throw InputError(trf("--output-cell {}: no thread writes this element", cell)); }
  if (*block != middle.block) {
    choice.block = block;
    run.known = written.experiment;
    written.experiment = experiment::run(file, choice, run);
  }
  return written;
}

}  // namespace haloscope
