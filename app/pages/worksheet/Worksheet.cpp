#include "worksheet/Worksheet.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "checking/Check.h"
#include "experiment/ChosenArrays.h"
#include "faults/Finding.h"
#include "language/Text.h"
#include "program/SourceLocation.h"
#include "worksheet/Flow.h"
#include "worksheet/Ink.h"
#include "worksheet/Sections.h"
#include "worksheet/SheetWriter.h"

namespace haloscope::worksheet {

namespace {

using experiment::Experiment;
using handout::Chapter;

constexpr double kSide = mm(18), kTop = mm(17), kBottom = mm(19);

struct Size {
  double width, height;
};
Size sizeOf(Paper paper) { return paper == Paper::A4 ? Size{mm(210), mm(297)} : Size{612, 792}; }

/// Elements of the block's output that faults reach.
std::vector<std::int64_t> faultyOutputs(const Chapter& chapter) {
  std::vector<std::int64_t> faulty;
  if (chapter.report == nullptr) { return faulty; }
  const recording::Footprint& footprint = chapter.experiment->footprint;
  std::ranges::copy_if(footprint.outputs, std::back_inserter(faulty), [&](std::int64_t output) {
    return std::ranges::any_of(chapter.report->findings, [&](const faults::Finding& finding) {
      return finding.reaches({footprint.output, output});
    });
  });
  return faulty;
}

/// "stencil/tiled · N = 32, IN_TILE_DIM = 8 · Haloscope 0.1.0": what it takes to make the sheet again.
std::string footerOf(const Chapter& chapter, const std::string& version) {
  const Experiment& experiment = *chapter.experiment;
  const KernelFile& file = experiment.file;
  std::vector<std::string> knobs;
  for (const auto& [name, value] : experiment.bindings) {
    knobs.push_back(fmt::format("{} = {}", name, file.valueText(name, value)));
  }
  std::vector<std::string> parts = {file.isOpened() ? file.path.filename().string() : file.id};
  if (!knobs.empty()) { parts.push_back(fmt::format("{}", fmt::join(knobs, ", "))); }
  if (experiment.choice.order == simt::WarpOrder::Random) {
    parts.push_back(trf("warps in random order, seed {}", experiment.choice.orderSeed));
  }
  parts.push_back("Haloscope " + version);
  return fmt::format("{}", fmt::join(parts, " · "));
}

void drawFrame(const Pen& pen, const Fonts& fonts, const Size& size, const std::string& title,
               const std::string& footer, const std::string& pages, bool solutions) {
  const Style small{Face::Sans, kSmall, kDim};
  const double right = size.width - kSide, foot = size.height - kBottom + mm(6);
  pen.text(Text(fonts, title, small), kSide, mm(9));
  if (solutions) {
    const Text badge(fonts, tr("Solutions"), {Face::Strong, kBody, kAnswer});
    pen.frame(right - badge.width() - 10, mm(8), badge.width() + 10, badge.height() + 4, 1, kAnswer);
    pen.text(badge, right - badge.width() - 5, mm(8) + 2);
  }
  pen.line(kSide, foot - 3, right, foot - 3, 0.4, kRule);
  const Text number(fonts, pages, small);
  pen.text(Text(fonts, footer, small, right - kSide - number.width() - 12), kSide, foot);
  pen.text(number, right - number.width(), foot);
}

ChapterSheet chapterSheet(const Chapter& chapter) {
  const Experiment& experiment = *chapter.experiment;
  if (experiment.recording == nullptr) { throw InputError(trf("{}: no block was recorded", experiment.file.id)); }
  ChapterSheet sheet{chapter, {}, {}, {}};
  sheet.picture = blockPicture(experiment, chapter.position, chapter.thread, faultyOutputs(chapter));
  sheet.trace = threadTrace(experiment, sheet.picture.thread);
  sheet.blanks = chooseBlanks(sheet.picture, experiment, sheet.trace);
  return sheet;
}

}  // namespace

std::string sheets(const std::string& title, const std::vector<Chapter>& chapters, const SheetOptions& options) {
  if (chapters.size() > kMostChapters) {
    throw InputError(trf("{} chapters: a worksheet has at most {}", chapters.size(), kMostChapters));
  }
  const Fonts fonts(options.fonts);
  const Size size = sizeOf(options.paper);
  SheetWriter writer(fonts, size.width - 2 * kSide, options.solutions);
  std::vector<std::string> footers = {{}};  // chapters count from 1
  std::set<std::string> asked;
  for (const Chapter& chapter : chapters) {
    const ChapterSheet sheet = chapterSheet(chapter);
    addHead(writer, sheet);
    addSource(writer, sheet);
    addPicture(writer, sheet);
    addTrace(writer, sheet);
    addFindings(writer, sheet);
    addQuestions(writer, sheet, asked);
    footers.push_back(footerOf(chapter, options.version));
  }
  const std::vector<PlacedPage> pages = paginate(writer.pieces(), size.height - kTop - kBottom);
  Pdf pdf(size.width, size.height, options.seconds);
  const std::string kind = options.solutions ? tr("Worksheet, solutions") : tr("Worksheet");
  pdf.describe(fmt::format("{} – {}", title, kind), kind, "Haloscope " + options.version);
  int chapter = 0;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const Pen pen = pdf.pen();
    for (const PlacedPiece& placed : pages[i]) {
      const Piece& piece = *placed.piece;
      piece.draw(pen, kSide, kTop + placed.y);
      if (piece.bookmark.empty()) { continue; }
      const int entry = pdf.bookmark(piece.level == 0 ? 0 : chapter, piece.bookmark, i + 1, kTop + placed.y);
      if (piece.level == 0) { chapter = entry; }
    }
    drawFrame(pen, fonts, size, title, footers[pages[i].back().piece->chapter],
              fmt::format("{} / {}", i + 1, pages.size()), options.solutions);
    pdf.endPage();
  }
  return pdf.finish();
}

inputs::ChosenData withSmallNumbers(const KernelFile& file, const Program& program, inputs::ChosenData chosen) {
  if (file.data != nullptr || file.firstDerivative) { return chosen; }
  const std::vector<std::string> weights = file.computes ? file.computes->weightArrays() : std::vector<std::string>();
  const std::vector<std::string> choosable = experiment::choosableArrays(file, program);
  const std::vector<bool> written = writtenObjects(program);
  for (const ArrayDeclaration& array : file.arrays) {
    const ObjectId object = program.findObject(array.name);
    if (object == kNone || array.values || chosen.contains(array.name)) { continue; }
    if (std::ranges::find(choosable, array.name) == choosable.end()) { continue; }
    // What it writes holds results, unless it works in place.
    if (written[object] && !(file.computes && file.computes->input == array.name)) { continue; }
    if (!isFloating(program.objects[object].element) || !array.tensorMap.empty()) { continue; }
    const bool weight = std::ranges::find(weights, array.name) != weights.end() ||
                        program.objects[object].space == MemorySpace::Constant;
    // 0…9 without a pattern that one could guess; neighbouring coefficients differ.
    inputs::choose(
        chosen, array.name,
        weight ? "formula:1 + (3 * x + 2 * y + z) % 4"
               : "formula:(31 * x * x + 17 * x * y + 43 * y + 29 * z * z + 13 * x * z + 7 * x + 5 * z) % 97 % 10");
  }
  return chosen;
}

}  // namespace haloscope::worksheet
