#pragma once

#include "host/Guest.h"

/// Pictures that a program reads by the stand-in for stb, see StbHeader.h. Where it was not given the file, it gets a
/// picture that is made for it, so that its kernels can be looked at.
namespace haloscope::host {

inline constexpr int kMadeWidth = 256, kMadeHeight = 192;

[[nodiscard]] GuestSymbols pictureSymbols();

}  // namespace haloscope::host
