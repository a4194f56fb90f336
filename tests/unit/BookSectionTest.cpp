#include "catalogue/BookSection.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace haloscope {
namespace {

KernelFile variant(const std::string& id, const std::string& book, const std::string& title = "A sweep") {
  KernelFile file;
  file.id = id;
  file.chapter = id.substr(0, id.find('/'));
  file.book = book;
  file.title = title;
  file.idea = "Planes stay in registers.";
  return file;
}

TEST(BookSectionTest, ReadsTheSectionFromTheBook) {
  EXPECT_EQ(sectionOf("PMPP 4e, section 8.3, figure 8.8"), "section 8.3");
  EXPECT_EQ(sectionOf("AMD lab notes on the Laplacian, part 2"), "part 2");
  EXPECT_EQ(sectionOf("none"), "other");
  EXPECT_EQ(sectionOf(""), "other");
}

TEST(BookSectionTest, GroupsByChapterAndSectionInTheirOrder) {
  Catalogue catalogue;
  catalogue.put(variant("stencil/a", "PMPP 4e, section 8.10"));
  catalogue.put(variant("stencil/b", ""));
  catalogue.put(variant("stencil/c", "PMPP 4e, section 8.2"));
  catalogue.put(variant("stencil/d", "PMPP 4e, section 8.10, figure 8.1"));
  catalogue.put(variant("laplacian/a", "AMD lab notes on the Laplacian, part 1"));
  const std::vector<BookSection> sections = bookSections(catalogue);
  std::string all;
  for (const BookSection& section : sections) {
    all += section.chapter + " " + section.heading + ":";
    for (const KernelFile* file : section.variants) { all += " " + file->id; }
    all += "\n";
  }
  EXPECT_EQ(all,
            "stencil section 8.2: stencil/c\n"
            "stencil section 8.10: stencil/a stencil/d\n"
            "stencil other: stencil/b\n"
            "laplacian part 1: laplacian/a\n");
}

TEST(BookSectionTest, EveryWordOfASearchMustOccur) {
  const KernelFile file = variant("stencil/3d_27_basic", "PMPP 4e, section 8.2", "27 points");
  EXPECT_TRUE(matches(file, ""));
  EXPECT_TRUE(matches(file, "27 REGISTERS 8.2"));
  EXPECT_TRUE(matches(file, "  basic "));
  EXPECT_FALSE(matches(file, "27 halo"));
}

TEST(BookSectionTest, ANumberOfASectionIsWhole) {
  const KernelFile early = variant("stencil/a", "PMPP 4e, section 8.1");
  const KernelFile figure = variant("stencil/b", "PMPP 4e, section 8.4, figure 8.10 for order 2");
  const KernelFile later = variant("stencil/c", "PMPP 4e, section 18.1.");
  EXPECT_TRUE(matches(early, "8.1"));
  EXPECT_FALSE(matches(figure, "8.1"));
  EXPECT_FALSE(matches(later, "8.1"));
  EXPECT_TRUE(matches(later, "18.1"));
  EXPECT_TRUE(matches(figure, "8.10"));
  EXPECT_TRUE(matches(figure, "8."));  // an incomplete number while typing
  EXPECT_TRUE(matches(figure, "section 8.4"));
}

TEST(BookSectionTest, ATypeIsOneThatTheVariantOffers) {
  KernelFile offers = variant("stencil/a", "", "Half of the tile");
  offers.precision = Precision{"REAL", {ValueType::F32, ValueType::F64}};
  EXPECT_TRUE(matches(offers, "double"));
  EXPECT_FALSE(matches(offers, "half")) << "the idea has a different word";
  KernelFile fixed = variant("laplacian/a", "");
  fixed.text = "__global__ void k(const double* in, double* out) {}";
  EXPECT_TRUE(matches(fixed, "DOUBLE"));
  EXPECT_FALSE(matches(fixed, "float"));
}

}  // namespace
}  // namespace haloscope
