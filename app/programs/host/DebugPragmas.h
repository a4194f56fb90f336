#pragma once

namespace clang {
class Preprocessor;
}

namespace haloscope::host {

/// `#pragma clang __debug` is for Clang's own developers: it crashes the compiler, or prints addresses of its memory.
/// From now on it does nothing.
void ignoreDebugPragmas(clang::Preprocessor& preprocessor);

}  // namespace haloscope::host
