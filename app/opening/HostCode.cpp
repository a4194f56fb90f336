#include "opening/HostCode.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "opening/HostExpression.h"

namespace haloscope::opening {

namespace {

constexpr std::size_t kMaxConstants = 1'000;
constexpr std::size_t kMaxTemplateArguments = 64;  ///< tokens of them
constexpr int kMaxCallDepth = 8;

/// An initialiser converted to the variable's type: 4 is a floating-point number in "float edge = 4".
HostCode::Tokens asDeclared(const std::string& type, const HostCode::Tokens& initializer) {
  if (type != "float" && type != "double" && type != "int") { return initializer; }
  HostCode::Tokens converted{type, "("};
  converted.insert(converted.end(), initializer.begin(), initializer.end());
  converted.emplace_back(")");
  return converted;
}

}  // namespace

HostCode::HostCode(const std::string& text) {
  tokenize(text);
  identifiers_.insert(tokens_.begin(), tokens_.end());
  expandLaunches();
  functions_ = HostFunctions(tokens_);
  readDeclarations();
  readParameters();
  structs_ = HostStructs(tokens_);
}

void HostCode::expandLaunches() {
  const auto launches = [](const Macro& macro) { return std::ranges::find(macro.body, "<<<") != macro.body.end(); };
  if (std::ranges::none_of(macros_, [&](const auto& one) { return launches(one.second); })) { return; }
  Tokens expanded;
  for (std::size_t i = 0; i < tokens_.size() && expanded.size() < kMaxTokensVisited; ++i) {
    const auto macro = macros_.find(tokens_[i]);
    const bool called = i + 1 < tokens_.size() && tokens_[i + 1] == "(";
    if (macro == macros_.end() || !launches(macro->second) || macro->second.function != called) {
      expanded.push_back(tokens_[i]);
      continue;
    }
    std::vector<Tokens> values;
    if (called) {
      i += 2;
      values = list(tokens_, i);
    }
    std::vector<std::string> words = macro->second.parameters;
    // LAUNCH(kernel, grid, block, ...): the remaining arguments are one.
    if (const std::size_t named = words.size(); values.size() > named) {
      Tokens rest;
      for (std::size_t at = named; at < values.size(); ++at) {
        if (at > named) { rest.emplace_back(","); }
        rest.insert(rest.end(), values[at].begin(), values[at].end());
      }
      values.resize(named);
      values.push_back(std::move(rest));
      words.emplace_back("__VA_ARGS__");
    }
    const Tokens body = substituted(macro->second.body, words, values);
    expanded.insert(expanded.end(), body.begin(), body.end());
  }
  tokens_ = std::move(expanded);
}

void HostCode::readParameters() {
  for (const HostFunctions::Function& function : functions_.all()) {
    for (const Tokens& one : function.initializers) {
      variables_[one[0]].emplace_back(one.begin() + 1, one.end());
      std::size_t at = 2;
      dims_.try_emplace(one[0], list(one, at));
    }
    for (const std::string& parameter : function.parameters) {
      for (const HostFunctions::Call& call : function.calls) {
        const Tokens* value = HostFunctions::argument(function, call, parameter);
        if (value != nullptr && *value != Tokens{parameter}) { variables_[parameter].push_back(*value); }
      }
    }
  }
}

void HostCode::assign(const std::string& variable, std::vector<Tokens> arguments) {
  if (!dims_.try_emplace(variable, arguments).second) { reassigned_[variable] = std::move(arguments); }
}

HostCode::Tokens HostCode::withLatestArguments(const Tokens& part) const {
  Tokens now = part;
  if (part.size() == 1 && reassigned_.contains(part[0])) {
    const std::vector<Tokens>& arguments = reassigned_.at(part[0]);
    now = arguments.size() == 1 ? arguments[0] : Tokens{"dim3", "("};
    for (std::size_t i = 0; i < arguments.size() && arguments.size() > 1; ++i) {
      now.insert(now.end(), arguments[i].begin(), arguments[i].end());
      now.emplace_back(i + 1 < arguments.size() ? "," : ")");
    }
  }
  Tokens all;
  for (const std::string& token : now) {
    const auto known = declared_.find(token);
    if (known == declared_.end() || known->second.size() < 2 || !number(known->second.back())) {
      all.push_back(token);
      continue;
    }
    all.insert(all.end(), known->second.back().begin(), known->second.back().end());
  }
  return all;
}

void HostCode::add(LaunchCall launch, std::size_t at) {
  for (std::size_t i = 0; i < launch.configuration.size() && i < 2; ++i) {
    launch.configuration[i] = withLatestArguments(launch.configuration[i]);
  }
  // An alias declared in a function is unknown where the instance is requested.
  Tokens instance = tokensOf(launch.instance);
  for (Tokens::size_type i = 1; i < instance.size(); ++i) {
    if (const auto alias = aliases_.find(instance[i]); alias != aliases_.end() && alias->second.size() == 1) {
      instance[i] = alias->second[0];
    }
  }
  launch.instance.clear();
  for (Tokens::size_type i = 0; i < instance.size(); ++i) {
    const bool words = i > 0 && isIdentifier(instance[i]) && isIdentifier(instance[i - 1]);
    launch.instance += (words ? " " : "") + instance[i];
  }
  launch.function = functions_.enclosing(at);
  if (launch.function == HostFunctions::kNowhere) {
    launches_.push_back(std::move(launch));
    return;
  }
  const HostFunctions::Function& function = functions_.all()[launch.function];
  bool instances = false;
  for (std::size_t i = 0; i < function.calls.size() && !function.templateParameters.empty(); ++i) {
    const std::vector<Tokens>& values = function.calls[i].templateArguments;
    if (values.empty()) { continue; }
    instances = true;
    LaunchCall one = launch;
    one.call = i;
    one.instance.clear();
    for (const std::string& token : substituted(tokensOf(launch.instance), function.templateParameters, values)) {
      one.instance += token;
    }
    for (auto* parts : {&one.configuration, &one.arguments}) {
      for (Tokens& part : *parts) { part = substituted(part, function.templateParameters, values); }
    }
    launches_.push_back(std::move(one));
  }
  if (!instances) { launches_.push_back(std::move(launch)); }
}

HostCode::Given HostCode::withArguments(const LaunchCall& launch, const Given& given) const {
  Given all = given;
  if (launch.function == HostFunctions::kNowhere) { return all; }
  const HostFunctions::Function& function = functions_.all()[launch.function];
  if (launch.call >= function.calls.size()) { return all; }
  for (const std::string& parameter : function.parameters) {
    const Tokens* value = HostFunctions::argument(function, function.calls[launch.call], parameter);
    if (value == nullptr || *value == Tokens{parameter}) { continue; }
    if (const auto number = integer(*value, given)) { all.try_emplace(parameter, *number); }
    if (value->size() == 1 && (dims_.contains(value->front()) || !structs_.member(*value, "x").empty())) {
      const auto three = dimensions(*value, given);
      for (std::size_t axis = 0; three && axis < 3; ++axis) {
        all.try_emplace(parameter + "." + "xyz"[axis], (*three)[axis]);
      }
    }
  }
  return all;
}

std::string HostCode::calledWith(const LaunchCall& launch, const std::string& name) const {
  std::string found = name;
  std::size_t in = launch.function;
  std::size_t call = launch.call;
  for (int depth = 0; depth < kMaxCallDepth && in != HostFunctions::kNowhere; ++depth) {
    const HostFunctions::Function& function = functions_.all()[in];
    if (call >= function.calls.size()) { break; }
    const Tokens* value = HostFunctions::argument(function, function.calls[call], found);
    if (value == nullptr || value->size() != 1 || !isIdentifier(value->front())) { break; }
    found = value->front();
    in = function.calls[call].caller;
    call = 0;
  }
  return found;
}

std::optional<HostCode::PassedArray> HostCode::passedArray(const LaunchCall& launch, const Tokens& expression) const {
  std::size_t at = 0;
  // (const float*) d
  if (expression.size() > 2 && expression[0] == "(" && std::ranges::find(expression, "*") != expression.end()) {
    at = static_cast<std::size_t>(std::ranges::find(expression, ")") - expression.begin()) + 1;
  }
  const bool address = at < expression.size() && expression[at] == "&";
  if (address) { ++at; }
  if (at >= expression.size() || !isIdentifier(expression[at])) { return std::nullopt; }
  PassedArray array{calledWith(launch, expression[at]), {}};
  ++at;
  if (at == expression.size()) { return address ? std::nullopt : std::optional(array); }
  if (!address && expression[at] == "[" && expression.back() == "]") {  // one of an array of pointers
    for (; at < expression.size(); ++at) { array.name += expression[at]; }
    return array;
  }
  if (address && expression[at] == "[" && expression.back() == "]") {
    array.offset.assign(expression.begin() + static_cast<std::ptrdiff_t>(at) + 1, expression.end() - 1);
    return array;
  }
  if (address || (expression[at] != "+" && expression[at] != "-")) { return std::nullopt; }
  if (expression[at] == "-") { array.offset.emplace_back("-"); }
  array.offset.insert(array.offset.end(), expression.begin() + static_cast<std::ptrdiff_t>(at) + 1, expression.end());
  return array;
}

void HostCode::tokenize(const std::string& text) {
  const frontend::SourceTokens source(text);
  for (const frontend::SourceTokens::Directive& directive : source.directives()) { define(directive.tokens); }
  tokens_ = tokensOf(source.code());
}

void HostCode::define(const std::vector<frontend::SourceToken>& directive) {
  const Tokens tokens = tokensOf(directive);
  identifiers_.insert(tokens.begin(), tokens.end());
  if (tokens.size() < 3 || tokens[1] != "define" || !isIdentifier(tokens[2])) { return; }
  Macro macro;
  std::size_t at = 3;
  macro.function = tokens.size() > 3 && tokens[3] == "(" && directive[3].offset == directive[2].end();
  if (macro.function) {
    at = 4;
    for (const Tokens& parameter : list(tokens, at)) {
      if (parameter.size() == 1 && isIdentifier(parameter[0])) { macro.parameters.push_back(parameter[0]); }
    }
    ++at;
  }
  if (at < tokens.size()) { macro.body.assign(tokens.begin() + static_cast<std::ptrdiff_t>(at), tokens.end()); }
  macros_.try_emplace(tokens[2], std::move(macro));
}

std::size_t HostCode::readLaunch(std::size_t at) {
  LaunchCall launch;
  std::size_t name = at;
  if (name == 0) { return at; }
  --name;
  if (tokens_[name] == ">") {
    int depth = 0;
    while (name > 0 && at - name < kMaxTemplateArguments) {
      depth += tokens_[name] == ">" ? 1 : (tokens_[name] == "<" ? -1 : 0);
      --name;
      if (depth == 0) { break; }
    }
  }
  if (!isIdentifier(tokens_[name])) { return at; }
  launch.kernel = tokens_[name];
  for (std::size_t i = name; i < at; ++i) {
    const bool words = i > name && isIdentifier(tokens_[i]) && isIdentifier(tokens_[i - 1]);
    launch.instance += (words ? " " : "") + tokens_[i];
  }
  std::size_t end = at + 1;
  launch.configuration = list(tokens_, end, ">>>");
  if (end + 1 < tokens_.size() && tokens_[end] == ">>>" && tokens_[end + 1] == "(") {
    end += 2;
    launch.arguments = list(tokens_, end);
  }
  if (launch.configuration.size() >= 2) { add(std::move(launch), at); }
  return end;
}

std::size_t HostCode::readLaunchFunction(std::size_t at) {
  std::size_t end = at + 2;
  const std::vector<Tokens> parts = list(tokens_, end);
  if (parts.size() < 4) { return end; }
  // (const void*)sweep<8>, &sweep, sweep
  auto name = std::find_if(parts[0].rbegin(), parts[0].rend(), [](const std::string& token) { return token != ")"; });
  LaunchCall launch;
  launch.configuration = {parts[1], parts[2]};
  if (parts.size() > 4) { launch.configuration.push_back(parts[4]); }
  std::size_t first = 0;
  for (std::size_t i = 0; i < parts[0].size(); ++i) {
    if (parts[0][i] == ")" || parts[0][i] == "&") { first = i + 1; }
  }
  if (first >= parts[0].size()) { first = static_cast<std::size_t>(parts[0].rend() - name) - 1; }
  launch.kernel = parts[0][first];
  if (!isIdentifier(launch.kernel)) { return end; }
  for (std::size_t i = first; i < parts[0].size() && parts[0][i] != ")"; ++i) { launch.instance += parts[0][i]; }
  // void* args[] = {&in, (void*)&out, &n};
  const Tokens* pointers = &parts[3];
  if (parts[3].size() == 1) {
    const auto known = variables_.find(parts[3][0]);
    pointers = known == variables_.end() ? nullptr : &known->second.back();
  }
  std::size_t inside = 0;
  while (pointers != nullptr && inside < pointers->size() && (*pointers)[inside] != "{") { ++inside; }
  if (pointers != nullptr && ++inside < pointers->size()) {
    for (const Tokens& pointer : list(*pointers, inside)) {
      const auto address = std::find(pointer.rbegin(), pointer.rend(), "&").base();
      launch.arguments.emplace_back(address, pointer.end());
    }
  }
  add(std::move(launch), at);
  return end;
}

void HostCode::readDeclarations() {
  std::size_t visited = 0;
  for (std::size_t i = 0; i + 1 < tokens_.size() && visited < kMaxTokensVisited; ++i) {
    const std::string& token = tokens_[i];
    std::size_t at = i;
    if (token == "<<<") {
      at = readLaunch(i);
    } else if ((token == "cudaLaunchKernel" || token == "cudaLaunchCooperativeKernel") && tokens_[i + 1] == "(") {
      at = readLaunchFunction(i);
    } else if (token == "dim3" && isIdentifier(tokens_[i + 1]) && i + 2 < tokens_.size()) {
      at = i + 2;
      while (at < tokens_.size() && tokens_[at] != ";" && !opens(tokens_[at])) { ++at; }
      const bool single = at < tokens_.size() && tokens_[at] == ";" && tokens_[i + 2] == "=";
      if (single) {
        assign(tokens_[i + 1], {Tokens(tokens_.begin() + static_cast<std::ptrdiff_t>(i) + 3,
                                       tokens_.begin() + static_cast<std::ptrdiff_t>(at))});
      } else if (++at < tokens_.size() && opens(tokens_[at - 1])) {
        std::vector<Tokens> arguments = list(tokens_, at);
        assign(tokens_[i + 1], arguments);
        // dim3 block(16, 16), grid(…);
        while (at + 3 < tokens_.size() && tokens_[at + 1] == "," && isIdentifier(tokens_[at + 2]) &&
               opens(tokens_[at + 3])) {
          const std::string next = tokens_[at + 2];
          at += 4;
          assign(next, list(tokens_, at));
        }
      }
    } else if (token == "using" && i + 3 < tokens_.size() && tokens_[i + 2] == "=") {
      at = i + 3;
      const std::vector<Tokens> type = list(tokens_, at);
      if (type.size() == 1) { aliases_.try_emplace(tokens_[i + 1], type[0]); }
    } else if (token == "typedef" && i + 3 < tokens_.size() && tokens_[i + 3] == ";") {
      aliases_.try_emplace(tokens_[i + 2], Tokens{tokens_[i + 1]});
    } else if (token.starts_with("cudaMalloc") && tokens_[i + 1] == "(") {
      at = i + 2;
      const std::vector<Tokens> arguments = list(tokens_, at);
      if (arguments.size() >= 2) {
        // &d_in, (void**)&d_in, &grid.data, &buffers[0]
        const auto bracket = std::ranges::find(arguments[0], "[");
        const auto pointer = std::find_if(std::reverse_iterator(bracket), arguments[0].rend(), isIdentifier);
        if (pointer != arguments[0].rend()) { allocations_.try_emplace(*pointer, arguments[1]); }
      }
    } else if (isIdentifier(token) && i > 0 && (tokens_[i + 1] == "=" || isExtentOfArray(i + 1))) {
      at = i + 2;
      while (at > 0 && at < tokens_.size() && tokens_[at - 1] != "=") { ++at; }  // void* args[] =
      const std::vector<Tokens> value = list(tokens_, at);
      if (!value.empty()) {
        variables_[token].push_back(asDeclared(tokens_[i - 1], value[0]));
        if (isTypeWord(tokens_[i - 1])) { declared_[token].push_back(variables_[token].back()); }
        if (value[0].front() == "dim3" && dims_.contains(token)) { assign(token, {value[0]}); }
      }
    } else if (isIdentifier(token) && i > 0 && isTypeWord(tokens_[i - 1]) &&
               (tokens_[i + 1] == "(" || tokens_[i + 1] == "{")) {  // int n(64), rows{32};
      at = i + 2;
      const std::vector<Tokens> value = list(tokens_, at);
      if (value.size() == 1 && at < tokens_.size() && closes(tokens_[at])) {
        variables_[token].push_back(asDeclared(tokens_[i - 1], value[0]));
      }
      at = i + 1;
    }
    visited += at - i;
  }
  // A function that only returns an expression: int divUp(int a, int b) { return (a + b - 1) / b; }
  for (const HostFunctions::Function& function : functions_.all()) {
    if (function.begin + 1 >= tokens_.size() || tokens_[function.begin + 1] != "return") { continue; }
    const auto begin = tokens_.begin() + static_cast<std::ptrdiff_t>(function.begin) + 2;
    const auto end = std::find(begin, tokens_.begin() + static_cast<std::ptrdiff_t>(function.end), ";");
    macros_.try_emplace(function.name, Macro{true, function.parameters, Tokens(begin, end)});
  }
}

bool HostCode::isExtentOfArray(std::size_t at) const {
  if (tokens_[at] != "[") { return false; }
  while (at < tokens_.size() && tokens_[at] != "]") { ++at; }
  return at + 2 < tokens_.size() && tokens_[at + 1] == "=" && tokens_[at + 2] == "{";
}

std::map<std::string, std::int64_t> HostCode::constants() const {
  std::map<std::string, std::int64_t> found;
  for (const auto& [name, macro] : macros_) {
    if (macro.function || found.size() >= kMaxConstants) { continue; }
    if (const auto value = integer(macro.body)) { found[name] = *value; }
  }
  for (const auto& [name, unused] : variables_) {
    if (found.size() >= kMaxConstants) { break; }
    if (const auto value = integer({name})) { found.try_emplace(name, *value); }
  }
  return found;
}

std::optional<double> HostCode::number(const Tokens& expression, const Given& given) const {
  HostExpression evaluation(*this, given);
  const auto value = evaluation.evaluate(expression);
  return value ? std::optional(value->value) : std::nullopt;
}

std::optional<std::int64_t> HostCode::integer(const Tokens& expression, const Given& given) const {
  const auto value = number(expression, given);
  if (!value || *value != std::floor(*value) || std::abs(*value) > 1e15) { return std::nullopt; }
  return static_cast<std::int64_t>(*value);
}

std::optional<std::array<std::int64_t, 3>> HostCode::dimensions(const Tokens& expression, const Given& given) const {
  if (expression.empty()) { return std::nullopt; }
  std::vector<Tokens> parts{expression};
  if (expression.size() == 1 && dims_.contains(expression[0])) {
    parts = dims_.at(expression[0]);
    if (parts.size() == 1 && !parts[0].empty() && (parts[0][0] == "dim3" || parts[0][0] == "{")) {
      return dimensions(parts[0], given);  // dim3 grid = {4, 4};
    }
  } else if (expression[0] == "dim3" || expression[0] == "{") {
    std::size_t at = expression[0] == "{" ? 1 : 2;
    parts = list(expression, at);
  }
  if (parts.size() > 3) { return std::nullopt; }
  std::array<std::int64_t, 3> result{1, 1, 1};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::optional<double> value = axis < parts.size() ? number(parts[axis], given) : 1;
    if (expression.size() == 1 && isIdentifier(expression[0])) {
      // grid.x = 4; perhaps the only component that the text sets.
      const std::string component(1, "xyz"[axis]);
      const auto set = given.find(expression[0] + "." + component);
      if (set != given.end()) {
        value = static_cast<double>(set->second);
      } else if (const auto assigned = structs_.assigned(expression[0] + "." + component)) {
        value = number(*assigned, given);
      } else if (axis == 0 && !value && structs_.assigned(expression[0] + ".y")) {
        value = 1;
      }
    }
    if (!value || *value < 0 || *value > 2147483647) { return std::nullopt; }
    result[axis] = static_cast<std::int64_t>(*value);
  }
  return result;
}

std::optional<double> HostCode::member(const Tokens& structure, const std::string& path, const Given& given) const {
  for (const Tokens& value : structs_.member(structure, path)) {
    if (const auto known = number(value, given)) { return known; }
  }
  return std::nullopt;
}

std::optional<std::int64_t> HostCode::allocatedBytes(const std::string& pointer, const Given& given) const {
  const auto known = allocations_.find(pointer.substr(0, pointer.find('[')));
  return known == allocations_.end() ? std::nullopt : integer(known->second, given);
}

}  // namespace haloscope::opening
