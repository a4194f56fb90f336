#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>

#include "inputs/ChosenData.h"
#include "language/Text.h"
#include "program/NumberText.h"
#include "worksheet/Sections.h"

namespace haloscope::worksheet {

namespace {

using experiment::Experiment;

std::string sizeText(const Dim3& size) {
  if (size.z > 1) { return fmt::format("{} × {} × {}", size.x, size.y, size.z); }
  return size.y > 1 ? fmt::format("{} × {}", size.x, size.y) : std::to_string(size.x);
}

struct Column {
  std::string title, value;
};

std::vector<Column> launchColumns(const Experiment& experiment) {
  const KernelFile& file = experiment.file;
  std::vector<std::string> sizes, tunables;
  for (const auto& [name, value] : experiment.bindings) {
    (file.findSize(name) != nullptr ? sizes : tunables)
        .push_back(fmt::format("{} = {}", name, file.valueText(name, value)));
  }
  std::vector<Column> columns;
  if (!sizes.empty()) { columns.push_back({tr("Sizes"), fmt::format("{}", fmt::join(sizes, "\n"))}); }
  if (!tunables.empty()) { columns.push_back({tr("Tunables"), fmt::format("{}", fmt::join(tunables, "\n"))}); }
  const LaunchConfiguration& launch = experiment.configuration;
  columns.push_back({tr("Grid, blocks"), sizeText(launch.grid)});
  columns.push_back(
      {tr("Block, threads"), sizeText(launch.block) + (launch.block.y > 1 || launch.block.z > 1
                                                           ? fmt::format(" = {}", launch.threadsPerBlock())
                                                           : std::string())});
  columns.push_back({tr("Shown block"), text(experiment.block)});
  const std::int64_t shared = experiment.program->sharedBytes() + launch.dynamicSharedBytes;
  if (shared > 0) { columns.push_back({tr("Shared memory"), byteText(static_cast<std::uint64_t>(shared))}); }
  return columns;
}

void addLaunch(SheetWriter& writer, const Experiment& experiment) {
  std::vector<std::pair<Text, Text>> cells;
  double all = 0, head = 0, body = 0;
  for (const Column& column : launchColumns(experiment)) {
    cells.emplace_back(Text(writer.fonts(), column.title, {Face::Strong, kSmall}),
                       Text(writer.fonts(), column.value, {Face::Mono, 8.2}));
    all += std::max(cells.back().first.width(), cells.back().second.width());
    head = std::max(head, cells.back().first.height());
    body = std::max(body, cells.back().second.height());
  }
  // What is left of the width is shared out.
  const double width = writer.width();
  const double room = std::max(8.0, (width - all) / static_cast<double>(cells.size()));
  Piece piece;
  piece.before = 8;
  piece.height = head + body + 14;
  piece.draw = [=](const Pen& pen, double x, double y) {
    pen.fill(x, y, width, head + 5, grey(0.92));
    double at = x;
    for (const auto& [title, value] : cells) {
      pen.text(title, at + 5, y + 2.5);
      pen.text(value, at + 5, y + head + 9);
      at += std::max(title.width(), value.width()) + room;
      if (at < x + width - 8) { pen.line(at, y, at, y + head + body + 14, 0.4, kRule); }
    }
    pen.frame(x, y, width, head + body + 14, 0.7, kInk);
  };
  writer.add(std::move(piece));
}

/// "in: ramp": what the user chose.
std::string dataText(const Experiment& experiment) {
  std::vector<std::string> parts;
  for (const auto& [array, choice] : experiment.choice.data) {
    parts.push_back(fmt::format("{}: {}", array, inputs::describe(choice)));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace

std::string titleOf(const handout::Chapter& chapter) {
  if (!chapter.title.empty()) { return chapter.title; }
  const KernelFile& file = chapter.experiment->file;
  return file.title.empty() ? file.id : tr(file.title);
}

void addHead(SheetWriter& writer, const ChapterSheet& sheet) {
  const Experiment& experiment = *sheet.chapter.experiment;
  const KernelFile& file = experiment.file;
  const Text title(writer.fonts(), titleOf(sheet.chapter), {Face::Strong, 18}, writer.width());
  const Text name(writer.fonts(), tr("Name"), {Face::Sans, kBody, kDim});
  const Text date(writer.fonts(), tr("Date"), {Face::Sans, kBody, kDim});
  std::vector<std::string> names = {file.isOpened() ? file.path.filename().string() : file.id};
  if (!sheet.chapter.title.empty() && !file.title.empty()) { names.emplace_back(tr(file.title)); }
  if (!file.book.empty()) { names.push_back(file.book); }
  const Text id(writer.fonts(), fmt::format("{}", fmt::join(names, " · ")), {Face::Sans, kBody, kDim}, writer.width());
  const double width = writer.width();

  writer.beginChapter(titleOf(sheet.chapter));
  Piece head;
  head.height = mm(12) + title.height() + id.height() + 4;
  head.draw = [=](const Pen& pen, double x, double y) {
    const double baseline = y + mm(7), split = x + width * 0.66;
    pen.text(name, x, baseline - name.baseline());
    pen.line(x + name.width() + 5, baseline + 2, split - 12, baseline + 2, 0.5, kDim);
    pen.text(date, split, baseline - date.baseline());
    pen.line(split + date.width() + 5, baseline + 2, x + width, baseline + 2, 0.5, kDim);
    pen.text(title, x, y + mm(12));
    pen.text(id, x, y + mm(12) + title.height() + 2);
  };
  writer.add(std::move(head));
  if (!sheet.chapter.note.empty()) { writer.sentence(sheet.chapter.note, {}, 6); }
  if (!file.idea.empty()) { writer.sentence(tr(file.idea), {Face::Italic, 9.5}, 6); }
  if (!file.task.empty()) { writer.sentence(trf("A task of the bug lab: {}", tr(file.task)), {Face::Strong, 9}, 6); }
  addLaunch(writer, experiment);
  std::vector<std::string> facts;
  if (!experiment.choice.data.empty()) { facts.push_back(trf("Data: {}.", dataText(experiment))); }
  if (!experiment.choice.withoutBarriers.empty()) {
    facts.push_back(
        trf("Executed without the barrier of line {}.", fmt::join(experiment.choice.withoutBarriers, ", ")));
  }
  facts.emplace_back(tr("Every value was recorded while Haloscope's emulator executed this source."));
  writer.sentence(fmt::format("{}", fmt::join(facts, " ")), {Face::Sans, kSmall, kDim}, 5);
}

}  // namespace haloscope::worksheet
