#pragma once

/// CLI11's classes without its headers, which take seconds to compile.
namespace CLI {
class App;
class Option;
}  // namespace CLI
