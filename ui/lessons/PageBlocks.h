#pragma once

#include <functional>
#include <optional>

#include "lessons/Lesson.h"
#include "ui/lessons/PageText.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// Draws a block that needs more than its words: steps or a question of a lesson, or a picture of the manual.
using DrawBlock = std::function<void(const lessons::Block& block, float width)>;

/// Draws the blocks of a page, from top to bottom, at the cursor and as wide as `width`: headings, paragraphs and
/// lists, code, formulas and tables; `other` draws the rest. Returns the link that was clicked on.
std::optional<std::size_t> drawBlocks(const Theme& theme, const lessons::Lesson& page, PageText& text, float width,
                                      const DrawBlock& other);

}  // namespace haloscope::ui
