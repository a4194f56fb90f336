#pragma once

#include <string>
#include <vector>

#include "catalogue/Catalogue.h"

namespace haloscope {

/// Variants of one chapter's folder that belong to the same section of the book.
struct BookSection {
  std::string chapter;                      ///< the folder: "stencil"
  std::string heading;                      ///< "section 8.3", see sectionOf
  std::vector<const KernelFile*> variants;  ///< of the catalogue, in its order
};

/// "section 8.3" of "PMPP 4e, section 8.3, figure 8.8"; "part 2" of "AMD lab notes on the Laplacian, part 2"; "other"
/// of "".
[[nodiscard]] std::string sectionOf(const std::string& book);

/// The heading in the current language.
[[nodiscard]] std::string shownHeading(const BookSection& section);

/// All variants by chapter and section: chapters in the catalogue's order, sections ascending.
[[nodiscard]] std::vector<BookSection> bookSections(const Catalogue& catalogue);

/// Whether every word of `query` occurs in id, title, idea or book, ignoring case. The number of a section, "8.1", must
/// match as a whole: not "8.10". "half", "float" and "double" match variants that can compute in that type.
[[nodiscard]] bool matches(const KernelFile& file, const std::string& query);

}  // namespace haloscope
