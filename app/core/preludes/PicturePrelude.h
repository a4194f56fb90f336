#pragma once

namespace haloscope::preludes {

/// What kernels may name of stb's headers.
inline constexpr char kPictures[] = R"cuda(
typedef unsigned char stbi_uc;
typedef unsigned short stbi_us;
)cuda";

}  // namespace haloscope::preludes
