#pragma once

#include <set>
#include <string>
#include <vector>

#include "handout/Handout.h"
#include "worksheet/Blanks.h"
#include "worksheet/BlockPicture.h"
#include "worksheet/SheetWriter.h"
#include "worksheet/ThreadTrace.h"

/// The parts of a chapter, in the order of the pages.
namespace haloscope::worksheet {

struct ChapterSheet {
  const handout::Chapter& chapter;
  BlockPicture picture;
  ThreadTrace trace;
  std::vector<Blank> blanks;
};

/// Title, launch, room for a name.
void addHead(SheetWriter& writer, const ChapterSheet& sheet);
void addSource(SheetWriter& writer, const ChapterSheet& sheet);
/// The arrays with their blanks and, below, how each blank comes about.
void addPicture(SheetWriter& writer, const ChapterSheet& sheet);
void addTrace(SheetWriter& writer, const ChapterSheet& sheet);
/// What is wrong with the kernel, as a question; or that nothing was found.
void addFindings(SheetWriter& writer, const ChapterSheet& sheet);
/// `asked`: what earlier chapters have asked, which is not asked again.
void addQuestions(SheetWriter& writer, const ChapterSheet& sheet, std::set<std::string>& asked);

/// The title of a scene, else that of its kernel.
[[nodiscard]] std::string titleOf(const handout::Chapter& chapter);

}  // namespace haloscope::worksheet
