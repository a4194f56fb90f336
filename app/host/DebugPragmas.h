#pragma once

#include <clang/Lex/Pragma.h>
#include <clang/Lex/Preprocessor.h>

namespace haloscope::host {

/// `#pragma clang __debug` is for Clang's own developers: it crashes the compiler, or prints addresses of its memory. From
/// now on it does nothing.
inline void ignoreDebugPragmas(clang::Preprocessor& preprocessor) {
  // Handlers are known by name: this removes Clang's own one, which no one else can have.
  clang::EmptyPragmaHandler named("__debug");
  preprocessor.RemovePragmaHandler("clang", &named);
  preprocessor.AddPragmaHandler("clang", new clang::EmptyPragmaHandler("__debug"));
}

}  // namespace haloscope::host
