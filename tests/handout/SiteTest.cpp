#include "lessons/Course.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "catalogue/Catalogue.h"
#include "experiment/Experiment.h"
#include "files/FileText.h"
#include "inputs/ChosenData.h"
#include "lessons/PageAddress.h"
#include "lessons/Setting.h"
#include "lessons/WindowLink.h"
#include "program/Launch.h"
#include "site/LessonHtml.h"

// The pages of `haloscope site`.

namespace haloscope::site {
namespace {

using lessons::Lesson;
using lessons::Link;
using testing::HasSubstr;

std::string formula(const std::string& tex) {
  return formulaHtml(tex, [](std::size_t) { return nullptr; }, false);
}

TEST(Site, FormulasAreMathMl) {
  EXPECT_THAT(formula("\\frac{1}{x}"), HasSubstr("<mfrac><mrow><mn>1</mn></mrow><mrow><mi>x</mi></mrow></mfrac>"));
  EXPECT_THAT(formula("a \\lt b"), HasSubstr("<mo>&lt;</mo>"));
  EXPECT_THAT(formula("\\sum_{i=0}^{n} i"), HasSubstr("<munderover><mo>∑</mo>"));
  EXPECT_THAT(formula("f(x - h)"), HasSubstr("<mo stretchy=\"false\">(</mo>"));
  EXPECT_THAT(formula("(\\frac{a}{3})"), HasSubstr("<mo>(</mo>"));
}

std::size_t countOf(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) { ++count; }
  return count;
}

TEST(Site, PagesOfTheManualHaveBalancedListsAndTheirLinks) {
  for (const char* const language : {"en", "zh"}) {
    const lessons::Course manual =
        lessons::Course::readManual(std::filesystem::path(HALOSCOPE_SOURCE_DIR) / "assets/manual", language);
    ASSERT_FALSE(manual.lessons.empty());
    for (const Lesson& page : manual.lessons) {
      std::size_t links = 0;
      const std::string html = lessonHtml(page, {.values = [](std::size_t) { return nullptr; },
                                                 .address =
                                                     [&](const Link& link) {
                                                       ++links;
                                                       if (link.kind == Link::Kind::Page) {
                                                         EXPECT_NE(manual.find(link.target), nullptr) << link.target;
                                                       }
                                                       return "to:" + link.target;
                                                     },
                                                 .picture = [](const lessons::Block& block) { return block.text; }});
      for (const std::string list : {"ul", "ol", "li", "p", "table"}) {
        EXPECT_EQ(countOf(html, "<" + list + ">"), countOf(html, "</" + list + ">")) << page.path << " " << list;
      }
      EXPECT_EQ(countOf(html, "href=\"to:"), links) << page.path;
    }
  }
}

namespace fs = std::filesystem;

TEST(Site, AnAddressNamesWhatIsChosenAsALinkDoes) {
  const Catalogue catalogue = Catalogue::read(fs::path(HALOSCOPE_SOURCE_DIR) / "kernels");
  const KernelFile& file = catalogue.at("stencil/coarsened");
  experiment::Choice choice{.kernel = file.id};
  EXPECT_EQ(lessons::pageAddress(file, choice, 0), "variants/stencil/coarsened.html");
  choice.bindings = {{"IN_TILE_DIM", 4}, {"N", 20}, {"REAL", 8}};
  choice.block = Dim3{2, 1, 0};
  inputs::choose(choice.data, "in", "1.5,2,3");
  const std::string address = lessons::pageAddress(file, choice, 44);
  EXPECT_EQ(address, "variants/stencil/coarsened.html#IN_TILE_DIM=4&N=20&REAL=double&in=1.5,2,3&block=2,1,0&step=44");
  lessons::Setting page;
  page.kernel = file.id;
  const lessons::WindowLink link =
      lessons::parseWindowLink(lessons::linkPairs(address.substr(address.find('#') + 1)), catalogue, page);
  EXPECT_EQ(lessons::choiceOf(link.setting), choice);
  EXPECT_EQ(link.moment.number, 44);
  choice = {.kernel = file.id, .withoutBarriers = {61, 69}, .order = simt::WarpOrder::Reversed};
  EXPECT_EQ(lessons::pageAddress(file, choice, 0), "variants/stencil/coarsened.html#order=reversed&without=61,69");
}

/// What the page says behind each ATTRIBUTE="…".
std::vector<std::string> valuesOf(const std::string& html, const std::string& attribute) {
  std::vector<std::string> values;
  const std::string begin = " " + attribute + "=\"";
  for (std::size_t at = html.find(begin); at != std::string::npos; at = html.find(begin, at)) {
    at += begin.size();
    values.push_back(html.substr(at, html.find('"', at) - at));
  }
  return values;
}

TEST(Site, EachVariantHasAPageAndEachLinkLeadsToAFile) {
  std::string name = (fs::temp_directory_path() / "haloscope-site-XXXXXX").string();
  ASSERT_NE(::mkdtemp(name.data()), nullptr);
  const fs::path folder = name;
  ASSERT_EQ(std::system((HALOSCOPE_BINARY " site --recorded '" + name + "' 2>/dev/null").c_str()), 0);
  const Catalogue catalogue = Catalogue::read(fs::path(HALOSCOPE_SOURCE_DIR) / "kernels");
  ASSERT_FALSE(catalogue.kernels().empty());
  for (const KernelFile& file : catalogue.kernels()) {
    for (const char* const language : {"en", "zh"}) {
      EXPECT_TRUE(fs::exists(folder / language / "variants" / (file.id + ".html"))) << language << " " << file.id;
    }
  }
  std::size_t toSteps = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".html") { continue; }
    const std::string html = readWhole(entry.path()).value_or("");
    for (const char* const attribute : {"href", "src"}) {
      for (const std::string& link : valuesOf(html, attribute)) {
        if (link.starts_with("http")) { continue; }
        EXPECT_TRUE(fs::exists(entry.path().parent_path() / link.substr(0, link.find('#')))) << entry << " " << link;
        if (link.find("#step=") != std::string::npos) { ++toSteps; }
      }
    }
  }
  EXPECT_GT(toSteps, 0U);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace haloscope::site
