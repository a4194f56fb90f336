#include "running/AllocationNames.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "frontend/SourceTokens.h"
#include "language/Text.h"
#include "running/KernelTexts.h"

namespace haloscope::running {

namespace {

using frontend::SourceToken;
using frontend::SourceTokens;
using Tokens = std::span<const SourceToken>;

constexpr std::size_t kLongestName = 24;

bool allocates(std::string_view function) {
  return function.starts_with("cudaMalloc") || function == "cudaCreateTextureObject" ||
         function == "cudaCreateSurfaceObject" || function == "cudaHostAlloc" || function == "cudaHostRegister";
}

bool opens(std::string_view token) { return token == "(" || token == "[" || token == "{"; }
bool closes(std::string_view token) { return token == ")" || token == "]" || token == "}"; }

/// The tokens up to the comma or the bracket that ends an argument.
Tokens argumentAt(Tokens tokens) {
  int depth = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string_view word = tokens[i].spelling;
    if (depth == 0 && (closes(word) || word == "," || word == ";")) { return tokens.first(i); }
    if (opens(word)) { ++depth; }
    if (closes(word)) { --depth; }
  }
  return {};
}

/// Index after the bracket that closes the first token.
std::size_t afterBracket(Tokens tokens) {
  int depth = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (opens(tokens[i].spelling)) { ++depth; }
    if (closes(tokens[i].spelling) && --depth == 0) { return i + 1; }
  }
  return tokens.size();
}

/// Without casts, an address operator and brackets around it.
Tokens withoutCasts(Tokens tokens) {
  while (!tokens.empty()) {
    const std::string_view word = tokens.front().spelling;
    if (word == "&") {
      tokens = tokens.subspan(1);
    } else if (word == "(" && afterBracket(tokens) < tokens.size()) {
      tokens = tokens.subspan(afterBracket(tokens));  // a cast
    } else if (word == "(") {
      tokens = tokens.subspan(1, tokens.size() - 2);
    } else if (word == "reinterpret_cast" || word == "static_cast") {
      while (!tokens.empty() && tokens.front().spelling != "(") { tokens = tokens.subspan(1); }
    } else {
      break;
    }
  }
  return tokens;
}

std::string joined(Tokens tokens) {
  std::string text;
  for (const SourceToken& token : tokens) { text += token.spelling; }
  return text.size() <= kLongestName ? text : std::string();
}

/// Of `thrust::device_vector<float> a(n), b;`, from the first word on: a and b. Of `auto a = thrust::device_vector…`:
/// a.
void addVectors(Tokens code, std::size_t at, std::vector<std::string>& variables) {
  int angles = 0;
  std::size_t i = at + 1;
  for (; i < code.size() && code[i].spelling != ";"; ++i) {
    const std::string_view word = code[i].spelling;
    angles += word == "<" ? 1 : word == ">" ? -1 : word == ">>" ? -2 : 0;
    if (angles <= 0) { break; }
  }
  const auto isName = [&](std::size_t k) { return k < code.size() && code[k].kind == SourceToken::Kind::Identifier; };
  if (!isName(++i)) {
    std::size_t assigned = at;
    while (assigned > 0 && code[assigned].line == code[at].line && code[assigned].spelling != "=") { --assigned; }
    if (assigned > 0 && isName(assigned - 1)) { variables.emplace_back(code[assigned - 1].spelling); }
    return;
  }
  for (int depth = 0; i < code.size() && (depth > 0 || code[i].spelling != ";"); ++i) {
    const std::string_view word = code[i].spelling;
    if (depth == 0 && isName(i)) { variables.emplace_back(word); }
    if (depth == 0 && word == "=") {
      while (i + 1 < code.size() && code[i + 1].spelling != "," && code[i + 1].spelling != ";") { ++i; }
    }
    depth += opens(word) ? 1 : closes(word) ? -1 : 0;
    if (depth < 0) { return; }
  }
}

/// The names of a text's arrays of thrust.
std::set<std::string> vectorsIn(Tokens code) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code[i].spelling == "device_vector") { addVectors(code, i, names); }
  }
  return {names.begin(), names.end()};
}

/// What the calls on a line allocate memory for, in their order.
std::vector<std::string> variablesOn(const SourceTokens& tokens, int line) {
  const Tokens code(tokens.code());
  std::vector<std::string> variables;
  const bool usesThrust =
      std::ranges::any_of(code, [](const SourceToken& one) { return one.spelling == "device_vector"; });
  const std::set<std::string> vectors = vectorsIn(code);
  bool declares = false;
  for (std::size_t i = 0; i + 2 < code.size(); ++i) {
    if (code[i].line == line && allocates(code[i].spelling) && code[i + 1].spelling == "(") {
      variables.push_back(joined(withoutCasts(argumentAt(code.subspan(i + 2)))));
    } else if (code[i].line == line && code[i].spelling == "device_vector") {
      addVectors(code, i, variables);
      declares = true;
    } else if (code[i].line == line && code[i + 1].spelling == "=" && !declares &&
               vectors.contains(std::string(code[i].spelling))) {
      variables.emplace_back(code[i].spelling);  // from a vector of the host
    }
  }
  if (variables.empty() && usesThrust) { variables.push_back(trf("the device_vector of line {}", line)); }
  return variables;
}

}  // namespace

AllocatingPlaces::AllocatingPlaces(const host::HostProgram& program) : program_(program) {}
AllocatingPlaces::~AllocatingPlaces() = default;

std::string AllocatingPlaces::next(const host::HostPlace& at) {
  const auto [entry, isNew] = places_.try_emplace({at.file, at.line});
  Place& place = entry->second;
  if (isNew) {
    if (const SourceTokens* text = find(at.file)) { place.variables = variablesOn(*text, at.line); }
  }
  return place.variables.empty() ? std::string() : place.variables[place.seen++ % place.variables.size()];
}

const SourceTokens* AllocatingPlaces::find(const std::string& name) {
  auto& tokens = known_[name];
  if (tokens) { return tokens.get(); }
  for (const host::HostProgram::File& file : program_.files) {
    if (file.name == name) { tokens = std::make_unique<SourceTokens>(file.text); }
  }
  if (const auto header = program_.headers.find(name); !tokens && header != program_.headers.end()) {
    tokens = std::make_unique<SourceTokens>(header->second);
  }
  return tokens.get();
}

std::string allocatedVariable(const std::string& text, int line, std::size_t occurrence) {
  const std::vector<std::string> variables = variablesOn(SourceTokens(text), line);
  return variables.empty() ? std::string() : variables[occurrence % variables.size()];
}

std::vector<std::string> allocationNames(const ProgramRun& run, const host::HostProgram& program) {
  AllocatingPlaces places(program);
  std::vector<std::string> names;
  std::map<std::string, int> owners;  ///< how many have a name
  for (const Allocation& one : run.allocations) {
    std::string name = one.name.empty() ? places.next(one.allocatedAt) : qualifiedName(one.name);
    if (!name.empty()) { ++owners[name]; }
    names.push_back(std::move(name));
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Allocation& one = run.allocations[i];
    if (names[i].empty()) {
      names[i] =
          one.allocatedAt.line > 0 ? fmt::format("#{}, line {}", i, one.allocatedAt.line) : fmt::format("#{}", i);
    } else if (owners[names[i]] > 1) {
      names[i] += fmt::format(" #{}", i);
    }
  }
  return names;
}

}  // namespace haloscope::running
