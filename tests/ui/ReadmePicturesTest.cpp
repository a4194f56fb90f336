#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "DecodedGif.h"
#include "ProgramTest.h"
#include "render/Image.h"
#include "tests/render/StructuralSimilarity.h"

// The pictures of README.md show what the program draws.

namespace haloscope::test {
namespace {

class ReadmePictures : public ProgramTest {};

// The status bar's milliseconds differ from run to run; a panel that moved, a row that came or a colour that changed
// makes more than that.
constexpr double kAlike = 0.985;

TEST_F(ReadmePictures, AreWhatTheProgramDraws) {
  const fs::path source = HALOSCOPE_SOURCE_DIR;
  const fs::path images = source / "assets/images";
  const std::string command = (source / "app/cmake/pictures.sh").string() + " " HALOSCOPE_BINARY " " +
                              folder_.string() + " >" + (folder_ / "said").string() + " 2>&1";
  ASSERT_EQ(std::system(command.c_str()), 0) << read(folder_ / "said");  // NOLINT(cert-env33-c): the test's own words
  int compared = 0;
  for (const fs::directory_entry& drawn : fs::directory_iterator(folder_)) {
    const fs::path kept = images / drawn.path().filename();
    if (drawn.path().extension() == ".png") {
      ++compared;
      EXPECT_GT(render::structuralSimilarity(render::Image::read(kept), render::Image::read(drawn.path())), kAlike)
          << kept << ": app/cmake/pictures.sh draws it again";
    } else if (drawn.path().extension() == ".gif") {
      ++compared;
      const DecodedGif before = decode(kept), now = decode(drawn.path());
      ASSERT_EQ(before.pictures.size(), now.pictures.size()) << kept << ": app/cmake/pictures.sh draws it again";
      std::size_t different = 0, all = 0;
      for (std::size_t i = 0; i < now.pictures.size(); ++i) {
        ASSERT_EQ(before.pictures[i].size(), now.pictures[i].size());
        for (std::size_t pixel = 0; pixel < now.pictures[i].size(); ++pixel) {
          different += before.pictures[i][pixel] != now.pictures[i][pixel] ? 1 : 0;
        }
        all += now.pictures[i].size();
      }
      EXPECT_LT(different, all / 100) << kept << ": app/cmake/pictures.sh draws it again";
    }
  }
  EXPECT_EQ(compared, 11);
}

}  // namespace
}  // namespace haloscope::test
