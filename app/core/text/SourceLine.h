#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The source of a kernel in a page.
namespace haloscope {

/// The lines of a text, without their line breaks. They point into it.
[[nodiscard]] std::vector<std::string_view> linesOf(std::string_view text);

/// Part of a line that has an element of its own, in bytes from 0.
struct LinePart {
  std::size_t begin = 0, end = 0;
  std::string_view element;  ///< with its attributes: span class="name"
};

/// A line with its parts, which come in order, as HTML. `between`: the element of what belongs to none; empty: no
/// element. No part begins or ends within a character; an element whose text is longer than in the source, because some
/// of it was made visible, has data-bytes: its length there.
[[nodiscard]] std::string lineHtml(std::string_view line, std::span<const LinePart> parts,
                                   std::string_view between = {});

}  // namespace haloscope
