#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>
#include <zlib.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "inputs/ChosenData.h"
#include "inputs/NumberTable.h"
#include "program/SourceLocation.h"

/// What --data says, and files of numbers.
namespace haloscope::inputs {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string refusal(const auto& parse) {
  try {
    parse();
  } catch (const InputError& error) { return error.what(); }
  return "accepted";
}

ChosenData chosen(const std::vector<std::string>& specs) {
  ChosenData data;
  for (const std::string& spec : specs) { choose(data, spec); }
  return data;
}

std::string refused(const std::string& spec) {
  return refusal([&] { chosen({spec}); });
}

/// A folder of its own, removed at the end.
class NumberFileTest : public ::testing::Test {
 protected:
  NumberFileTest() { fs::create_directories(folder_); }
  ~NumberFileTest() override { fs::remove_all(folder_); }
  fs::path write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }

 private:
  fs::path folder_ = fs::temp_directory_path() / ("haloscope-numbers-" + std::to_string(::getpid()));
};

/// An .npy file of version 1.
std::string npy(const std::string& header, const std::string& elements) {
  std::string bytes = "\x93NUMPY";
  bytes += '\x01';
  bytes += '\0';
  bytes += static_cast<char>(header.size());
  bytes += '\0';
  return bytes + header + elements;
}

std::string bytesOf(const auto& values) {
  std::string bytes(sizeof values, '\0');
  std::memcpy(bytes.data(), &values, sizeof values);
  return bytes;
}

TEST(ChosenData, EachTextIsMadeAgainFromItsChoice) {
  const std::vector<std::string> specs = {"a=impulse",      "b=impulse@3,4", "c=ramp",        "d=checkerboard",
                                          "e=constant:2.5", "f=random:7",    "g=8,2,-5.25,4", "h=0,1/-4,1",
                                          "h@1,0=7",        "i@3=-1e-05"};
  const ChosenData data = chosen(specs);
  EXPECT_EQ(texts(data), specs);
  EXPECT_EQ(chosen(texts(data)), data);
}

TEST(ChosenData, ASpecReplacesTheOneBefore) {
  EXPECT_THAT(texts(chosen({"in=ramp", "in@1=5", "in=constant:2"})), ElementsAre("in=constant:2"));
  EXPECT_TRUE(chosen({"in=ramp", "in@1=5", "in=default"}).empty());
  EXPECT_THAT(texts(chosen({"in@1=5", "in@2=6", "in@1=4"})), ElementsAre("in@1=4", "in@2=6"));
}

TEST(ChosenData, AListHasRows) {
  const NumberTable table = parseList("0, 1,0/1,-4,+1");
  EXPECT_THAT(table.extents, ElementsAre(2, 3));
  EXPECT_THAT(table.values, ElementsAre(0, 1, 0, 1, -4, 1));
  EXPECT_THAT(parseList("4").extents, ElementsAre(1));
  EXPECT_THAT(parseList("1/2/3").extents, ElementsAre(3)) << "a column is as long as a row";
}

TEST(ChosenData, SaysWhatIsWrongWithASpec) {
  EXPECT_EQ(refused("in"), "in: write NAME=SPEC");
  EXPECT_EQ(refused("=3"), "=3: write NAME=SPEC");
  EXPECT_EQ(refused("in=8,x,3"), "in: \"x\" is not a number");
  EXPECT_EQ(refused("in=8,,3"), "in: \"\" is not a number");
  EXPECT_EQ(refused("in=1,nan"), "in: \"nan\" is not a number");
  EXPECT_EQ(refused("in=1,1e999"), "in: \"1e999\" is not a number");
  EXPECT_EQ(refused("in=1,2/3"), "in: row 2 has 1 numbers, the first row 2");
  EXPECT_EQ(refused("in=impulse@1,x"), "in: \"1,x\" is not an element: write I,J,K, slowest axis first");
  EXPECT_EQ(refused("in=impulse@-1"), "in: \"-1\" is not an element: write I,J,K, slowest axis first");
  EXPECT_EQ(refused("in@=1"), "in@: \"\" is not an element: write I,J,K, slowest axis first");
  EXPECT_EQ(refused("in@1=two"), "in@1: \"two\" is not a number");
  EXPECT_EQ(refused("in=constant:"), "in: \"\" is not a number");
  EXPECT_EQ(refused("in=random:-1"), "in: \"-1\" is not a seed: write a whole number from 0 on");
  EXPECT_THAT(refused("in=impuls"), HasSubstr("in: \"impuls\" is none of impulse, impulse@I,J,K, ramp"));
  EXPECT_THAT(refused("in="), HasSubstr("in: \"\" is none of impulse"));
  EXPECT_EQ(refused("in=@/no/such.csv"), "in: /no/such.csv: there is no such file");
}

TEST(ChosenData, DescribesAChoice) {
  EXPECT_EQ(describe(chosen({"in=impulse@3,4"}).at("in")), "impulse at [3][4]");
  EXPECT_EQ(describe(chosen({"in=8,2,5,4,1,7,3"}).at("in")), "8, 2, 5, 4, 1, …");
  EXPECT_EQ(describe(chosen({"in=random:7"}).at("in")), "random, seed 7");
  EXPECT_EQ(describe(chosen({"in=constant:-2"}).at("in")), "all -2");
}

TEST(NumberRows, ReadsCommasSemicolonsAndSpaces) {
  for (const char* text : {"1,2,3\n4,5,6\n",
                           "\xef\xbb\xbf"
                           "1;2;3\r\n4;5;6",
                           "# two rows\n 1 2\t3 # the first\n\n4 5 6\n", "1, 2, 3,\n4, 5, 6,\n"}) {
    const NumberTable table = parseRows("file.csv", text);
    EXPECT_THAT(table.extents, ElementsAre(2, 3)) << text;
    EXPECT_THAT(table.values, ElementsAre(1, 2, 3, 4, 5, 6)) << text;
  }
  EXPECT_THAT(parseRows("file.csv", "1\n2\n3\n").extents, ElementsAre(3));
}

TEST(NumberRows, NamesThePlaceOfWhatIsWrong) {
  const auto refusedRows = [](const std::string& text) {
    return refusal([&] { static_cast<void>(parseRows("a.csv", text)); });
  };
  EXPECT_EQ(refusedRows("1,2\n3, four\n"), "a.csv:2:4: \"four\" is not a number");
  EXPECT_EQ(refusedRows("1,,2\n"), "a.csv:1:3: \"\" is not a number");
  EXPECT_EQ(refusedRows("1 2 x\n"), "a.csv:1:5: \"x\" is not a number");
  EXPECT_EQ(refusedRows("\n1,2\n3\n"), "a.csv:3: 1 number; the rows before it have 2");
  EXPECT_EQ(refusedRows("# nothing\n"), "a.csv: there is no number in this file");
  EXPECT_EQ(refusedRows(std::string("1,\0,2", 5)), "a.csv:1:3: \"?\" is not a number");
}

TEST(Npy, ReadsEachElementType) {
  const auto read = [](const std::string& type, const std::string& elements) {
    return parseNpy("a.npy", npy("{'descr': '" + type + "', 'fortran_order': False, 'shape': (2,), }", elements))
        .values;
  };
  EXPECT_THAT(read("<f4", bytesOf(std::array{1.5F, -2.F})), ElementsAre(1.5, -2));
  EXPECT_THAT(read("<f8", bytesOf(std::array{1e100, -2.})), ElementsAre(1e100, -2));
  EXPECT_THAT(read("<f2", bytesOf(std::array<std::uint16_t, 2>{0x3c00, 0xc000})), ElementsAre(1, -2));
  EXPECT_THAT(read("|u1", "\xff\x01"), ElementsAre(255, 1));
  EXPECT_THAT(read("|b1", std::string("\0\1", 2)), ElementsAre(0, 1));
  EXPECT_THAT(read("|i1", "\xff\x01"), ElementsAre(-1, 1));
  EXPECT_THAT(read("<i8", bytesOf(std::array<std::int64_t, 2>{-7, 9})), ElementsAre(-7, 9));
  EXPECT_THAT(read(">i2", std::string("\xff\xfe\x01\x00", 4)), ElementsAre(-2, 256));
  const NumberTable plane =
      parseNpy("a.npy", npy("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 1, 3)}", "abcdef"));
  EXPECT_THAT(plane.extents, ElementsAre(2, 3)) << "without axes of length 1";
}

TEST(Npy, SaysWhatIsDamaged) {
  const auto refusedNpy = [](const std::string& bytes) {
    return refusal([&] { static_cast<void>(parseNpy("a.npy", bytes)); });
  };
  const std::string good =
      npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", bytesOf(std::array{1.F, 2.F}));
  EXPECT_EQ(refusedNpy(good), "accepted");
  for (std::size_t length = 0; length < good.size(); ++length) {
    EXPECT_NE(refusedNpy(good.substr(0, length)), "accepted") << length;
  }
  EXPECT_EQ(refusedNpy("1,2,3"), "a.npy: not an .npy file");
  EXPECT_EQ(refusedNpy(good + "x"),
            "a.npy: damaged: its header describes 2 elements of 4 bytes, 8 bytes in all; 9 follow");
  EXPECT_EQ(refusedNpy(npy("{'descr': '<f4', 'shape': (2,)}", "")),
            "a.npy: damaged: its header has no \"fortran_order\"");
  EXPECT_EQ(refusedNpy(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}", "")),
            "a.npy: damaged: its shape is not a tuple of lengths");
  EXPECT_EQ(refusedNpy(npy("{'descr': '|O', 'fortran_order': False, 'shape': (2,)}", "")),
            "a.npy: its elements are '|O', not real numbers or integers; save it with array.astype(\"float32\")");
  EXPECT_EQ(refusedNpy(npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2)}", std::string(16, ' '))),
            "a.npy: its elements are in Fortran's order; save it with numpy.ascontiguousarray(array)");
  EXPECT_EQ(refusedNpy(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999, 99999999)}", "")),
            "a.npy: 99999999 × 99999999 elements; an .npy file may have up to 33554432");
  EXPECT_EQ(refusedNpy(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (0,)}", "")),
            "a.npy: its array has no element");
  std::string ones;
  for (int i = 0; i < 70; ++i) { ones += "1,"; }
  EXPECT_EQ(refusedNpy(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (" + ones + ")}", "")),
            "a.npy: damaged: its array has 70 axes, and there may be 64");
}

TEST_F(NumberFileTest, ReadsAPictureAsGreyValues) {
  const fs::path path = write("grey.pgm", "P5 3 2 255\n" + std::string("\x00\x80\xff\x01\x02\x03", 6));
  const NumberTable table = readNumbers(path);
  EXPECT_TRUE(table.grey);
  EXPECT_THAT(table.extents, ElementsAre(2, 3));
  EXPECT_THAT(table.values, ElementsAre(0, 128, 255, 1, 2, 3));
}

TEST_F(NumberFileTest, AHugePictureIsNotDecoded) {
  const std::string header("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x9c\x40\0\0\x9c\x40\x08\0\0\0\0", 29);
  const fs::path png = write("huge.png", header + std::string(64, '\0'));
  EXPECT_EQ(refusal([&] { static_cast<void>(readNumbers(png)); }),
            png.string() + ": 40000 × 40000 pixels; a picture may have up to 16777216 (4096 × 4096)");
  const fs::path pgm = write("huge.pgm", "P5 5000 5000 255\n");
  EXPECT_EQ(refusal([&] { static_cast<void>(readNumbers(pgm)); }),
            pgm.string() + ": 5000 × 5000 pixels; a picture may have up to 16777216 (4096 × 4096)");
  // 20000 × −20000.
  const fs::path bmp =
      write("huge.bmp", std::string("BM\0\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x20\x4e\0\0\xe0\xb1\xff\xff"
                                    "\x01\0\x18\0",
                                    30) +
                            std::string(64, '\0'));
  EXPECT_EQ(refusal([&] { static_cast<void>(readNumbers(bmp)); }),
            bmp.string() + ": 20000 × 20000 pixels; a picture may have up to 16777216 (4096 × 4096)");
}

TEST_F(NumberFileTest, ADamagedPngIsRefusedWhereItIsDamaged) {
  // 2 × 1 grey pixels.
  const std::string whole(
      "\211\120\116\107\015\012\032\012\000\000\000\015\111\110\104\122\000\000\000\002\000\000\000\001\010\000\000\000"
      "\000\321\111\040\126\000\000\000\013\111\104\101\124\170\234\143\020\370\000\000\001\023\001\001\165\133\146\374"
      "\000\000\000\000\111\105\116\104\256\102\140\202",
      68);
  EXPECT_THAT(readNumbers(write("whole.png", whole)).values, ElementsAre(16, 240));
  constexpr std::size_t kData = 37;  // its part IDAT
  std::string flipped = whole;
  flipped[kData + 14] ^= 1;
  EXPECT_THAT(refusal([&] { static_cast<void>(readNumbers(write("flipped.png", flipped))); }),
              HasSubstr("flipped.png: the picture is damaged: the checksum of its part IDAT at byte 33 is wrong"));
  EXPECT_THAT(refusal([&] { static_cast<void>(readNumbers(write("cut.png", whole.substr(0, kData + 12)))); }),
              HasSubstr("its part IDAT at byte 33 is cut off"));
  EXPECT_THAT(refusal([&] { static_cast<void>(readNumbers(write("end.png", whole.substr(0, whole.size() - 12)))); }),
              HasSubstr("before its last part"));
  std::string nothing = whole;
  nothing.replace(kData, 4, "\x01\x02\x03\x04");
  EXPECT_THAT(refusal([&] { static_cast<void>(readNumbers(write("nothing.png", nothing))); }),
              HasSubstr("at byte 33 no part of a PNG begins"));
}

/// A part of a PNG: length, name, data, checksum.
std::string pngPart(const std::string& name, const std::string& data) {
  const auto number = [](std::size_t value) {
    std::string bytes;
    for (const unsigned shift : {24U, 16U, 8U, 0U}) { bytes += static_cast<char>(value >> shift & 0xffU); }
    return bytes;
  };
  const std::string named = name + data;
  const auto* const begin = reinterpret_cast<const Bytef*>(named.data());
  return number(data.size()) + named + number(crc32(0, begin, static_cast<uInt>(named.size())));
}

std::string deflated(const std::string& bytes) {
  std::string packed(compressBound(bytes.size()), '\0');
  uLongf size = packed.size();
  EXPECT_EQ(compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                     bytes.size()),
            Z_OK);
  packed.resize(size);
  return packed;
}

/// 64 × 64 points; `kind`: depth, colour type, compression, filter, interlace.
std::string png64(const std::string& kind, const std::string& packed, const std::string& more = "") {
  return "\x89PNG\r\n\x1a\n" + pngPart("IHDR", std::string("\0\0\0\x40\0\0\0\x40", 8) + kind) + more +
         pngPart("IDAT", packed) + pngPart("IEND", "");
}

TEST_F(NumberFileTest, APngThatInflatesToMoreThanItsHeaderSaysIsNotDecoded) {
  const std::string grey("\x08\0\0\0\0", 5), colours("\x10\x06\0\0\0", 5), interlaced("\x08\0\0\0\x01", 5);
  // Rows, and in the interlaced picture those of its passes: 8 × 8 (8 × 9 bytes), 8 × 8, 16 × 8, 16 × 16, 32 × 16,
  // 32 × 32, 64 × 32 points.
  constexpr std::size_t kInterlaced = 8 * 9 + 8 * 9 + 8 * 17 + 16 * 17 + 16 * 33 + 32 * 33 + 32 * 65;
  const std::vector<std::pair<std::string, std::size_t>> kinds{
      {grey, 64 * 65}, {colours, 64 * (1 + 64 * 8)}, {interlaced, kInterlaced}};
  for (const auto& [kind, bytes] : kinds) {
    EXPECT_EQ(readNumbers(write("fits.png", png64(kind, deflated(std::string(bytes, '\0'))))).values.size(), 4096U);
    const std::string bomb = png64(kind, deflated(std::string(std::size_t{32} << 20, '\0')));
    EXPECT_LT(bomb.size(), 100'000U);
    EXPECT_THAT(refusal([&] { static_cast<void>(readNumbers(write("bomb.png", bomb))); }),
                HasSubstr("bomb.png: the picture is damaged: its points are more than the " + std::to_string(bytes) +
                          " bytes that its header says"));
  }
  // A window that another decoder does not look at, and a header that is not zlib's.
  std::string window = deflated(std::string(std::size_t{32} << 20, '\0'));
  window[0] = '\x08';
  window[1] = '\x1d';
  std::string raw = deflated(std::string(std::size_t{32} << 20, '\0')).substr(2);
  for (const std::string& hidden : {png64(grey, window), png64(grey, raw, pngPart("CgBI", "1234"))}) {
    EXPECT_NE(refusal([&] { static_cast<void>(readNumbers(write("hidden.png", hidden))); }), "accepted");
  }
  const std::string text = png64(grey, deflated(std::string(64 * 65, '\0')),
                                 pngPart("zTXt", std::string("a\0\0", 3) + deflated(std::string(1 << 24, ' '))));
  EXPECT_EQ(readNumbers(write("text_bomb.png", text)).values.size(), 4096U) << "other parts are not inflated";
}

TEST_F(NumberFileTest, AJpegOfManyScansIsNotDecoded) {
  // Its header, then scans of nothing.
  const std::string begin("\xff\xd8\xff\xc2\0\x0b\x08\0\x40\0\x40\x01\x01\x11\0", 15);
  std::string scans;
  for (int i = 0; i < 101; ++i) { scans += std::string("\xff\xda\0\x08\x01\x01\0\0\0\0", 10); }
  EXPECT_THAT(refusal([&] { static_cast<void>(readNumbers(write("scans.jpg", begin + scans + "\xff\xd9"))); }),
              HasSubstr("it has more than 100 scans"));
}

TEST_F(NumberFileTest, ATextOfTooManyNumbersIsRefusedAtItsLine) {
  std::string row = "1";
  for (int i = 1; i < 1 << 13; ++i) { row += ",1"; }
  row += '\n';
  std::string text;
  for (int i = 0; i < (1 << 12) + 1; ++i) { text += row; }
  EXPECT_THAT(refusal([&] { static_cast<void>(parseRows("many.csv", text)); }),
              HasSubstr("many.csv:4097: a file may have up to 33554432 numbers"));
}

TEST_F(NumberFileTest, SaysWhatAFileIsNot) {
  const fs::path text = write("text.png", "no picture");
  EXPECT_THAT(refusal([&] { static_cast<void>(readNumbers(text)); }),
              HasSubstr("text.png: not a picture that can be read"));
  const fs::path other = write("data.bin", "1,2");
  EXPECT_THAT(refusal([&] { static_cast<void>(readNumbers(other)); }),
              HasSubstr("numbers are read from .csv, .tsv, .txt and .npy files"));
  EXPECT_THAT(refusal([&] { static_cast<void>(readNumbers(other.parent_path() / "x.csv")); }),
              HasSubstr("there is no such file"));
}

}  // namespace
}  // namespace haloscope::inputs
