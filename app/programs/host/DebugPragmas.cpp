#include "host/DebugPragmas.h"

#include <clang/Lex/Pragma.h>
#include <clang/Lex/Preprocessor.h>

namespace haloscope::host {

void ignoreDebugPragmas(clang::Preprocessor& preprocessor) {
  // Handlers are known by name: this removes Clang's own one, which no one else can have.
  clang::EmptyPragmaHandler named("__debug");
  preprocessor.RemovePragmaHandler("clang", &named);
  preprocessor.AddPragmaHandler("clang", new clang::EmptyPragmaHandler("__debug"));
}

}  // namespace haloscope::host
