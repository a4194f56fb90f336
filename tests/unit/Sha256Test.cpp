#include "program/Sha256.h"

#include <gtest/gtest.h>

namespace haloscope {
namespace {

std::string hashOf(std::string_view text) {
  Sha256 hash;
  hash.add(text);
  return hash.digits();
}

TEST(Sha256, IsThatOfTheStandard) {
  EXPECT_EQ(hashOf(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hashOf("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hashOf("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hashOf(std::string(1'000'000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, IsTheSameInPieces) {
  const std::string text(1000, 'x');
  for (std::size_t length = 0; length < 200; ++length) {
    const std::string_view part = std::string_view(text).substr(0, length);
    Sha256 hash;
    for (std::size_t at = 0; at < length; at += 7) { hash.add(part.substr(at, 7)); }
    EXPECT_EQ(hash.digits(), hashOf(part)) << length;
  }
}

}  // namespace
}  // namespace haloscope
