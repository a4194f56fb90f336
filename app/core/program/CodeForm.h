#pragma once

#include "program/Program.h"

namespace haloscope {

/// The part of checkWellFormed() that is about the code: its instructions, how they nest, and what the tables of
/// statements and loops say of it. All else of the program must be well formed.
void checkCode(const Program& program);

/// Throws the InputError about part `number` of a program's list of `what`: English texts, which trMark() marks.
[[noreturn]] void refusePart(const char* what, std::size_t number, const char* why);

}  // namespace haloscope
