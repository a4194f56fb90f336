#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "DecodedGif.h"
#include "ProgramTest.h"
#include "render/Image.h"
#include "tests/kernels/Sampled.h"

// The pictures of README.md and the manual show what the program draws.

namespace haloscope::test {
namespace {

class ReadmePictures : public ProgramTest {};

// Another version of a font or of the software renderer moves edges a little. A row of text is more than that.
constexpr double kDifferent = 24.0 / 255;  // of a channel
constexpr std::size_t kLeastShare = 5000;  // of all pixels, one in so many may differ

bool alike(const render::Image& a, const render::Image& b) {
  if (a.width != b.width || a.height != b.height) { return false; }
  std::size_t different = 0;
  for (std::size_t i = 0; i < a.rgba.size(); i += 4) {
    int most = 0;
    for (std::size_t channel = 0; channel < 3; ++channel) {
      most = std::max(most, std::abs(a.rgba[i + channel] - b.rgba[i + channel]));
    }
    different += most > 255 * kDifferent ? 1 : 0;
  }
  return different * kLeastShare <= a.rgba.size() / 4;
}

TEST_F(ReadmePictures, AreWhatTheProgramDraws) {
  const fs::path source = HALOSCOPE_SOURCE_DIR;
  const fs::path images = source / "assets/images";
  // One of the stage, one of a program with its finding, one of a text in Chinese; and the moving one.
  const std::string some = isThorough() ? "" : " haloscope program-finding lesson-zh stage";
  const std::string command = (source / "app/cmake/pictures.sh").string() + " " HALOSCOPE_BINARY " " +
                              folder_.string() + some + " >" + (folder_ / "said").string() + " 2>&1";
  ASSERT_EQ(std::system(command.c_str()), 0) << read(folder_ / "said");  // NOLINT(cert-env33-c): the test's own words
  int compared = 0;
  for (const fs::directory_entry& drawn : fs::directory_iterator(folder_)) {
    const fs::path kept = images / drawn.path().filename();
    if (drawn.path().extension() == ".png") {
      ++compared;
      EXPECT_TRUE(alike(render::Image::read(kept), render::Image::read(drawn.path())))
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
  constexpr int kAll = 13, kSome = 4, kPages = 2;
  const bool pages = read(folder_ / "said").find("were not drawn") == std::string::npos;
  EXPECT_EQ(compared, !isThorough() ? kSome : pages ? kAll : kAll - kPages);
  sayTried(static_cast<std::size_t>(compared), kAll, "pictures");
}

}  // namespace
}  // namespace haloscope::test
