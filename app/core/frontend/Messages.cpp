#include "frontend/Messages.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "frontend/AssertHeader.h"
#include "language/Text.h"
#include "preludes/GpuPrelude.h"
#include "program/Bytes.h"
#include "program/StoredProgram.h"

namespace haloscope::frontend {

namespace {

using What = Request::What;

/// Changes with every change of these messages: both ends are the same program, but one may have been replaced on disk
/// while the other runs.
constexpr std::uint8_t kVersion = 1;

// -- writing

void write(ByteWriter& out, const std::vector<std::string>& texts) {
  out.count(texts.size());
  for (const std::string& text : texts) { out.text(text); }
}

void write(ByteWriter& out, const std::map<std::string, std::string>& texts) {
  out.count(texts.size());
  for (const auto& [name, text] : texts) {
    out.text(name);
    out.text(text);
  }
}

void write(ByteWriter& out, const std::vector<Diagnostic>& diagnostics) {
  out.count(diagnostics.size());
  for (const Diagnostic& one : diagnostics) {
    out.enumerator(one.severity);
    out.enumerator(one.kind);
    out.range(one.where);
    for (const std::string* text : {&one.message, &one.header, &one.name, &one.suggestion}) { out.text(*text); }
  }
}

void write(ByteWriter& out, const DeviceText& device) {
  out.text(device.prologue);
  out.text(device.text);
  write(out, device.headers);
  out.text(device.kernel);
  write(out, device.variables);
}

void write(ByteWriter& out, const CompileResult& result) {
  out.bytes(store(result.program));
  write(out, result.kernels);
  write(out, result.warnings);
  write(out, result.asked);
}

void write(ByteWriter& out, const TextSummary& summary) {
  out.count(summary.kernels.size());
  for (const KernelSummary& kernel : summary.kernels) {
    for (const std::string* text : {&kernel.name, &kernel.functionName, &kernel.symbol}) { out.text(*text); }
    out.range(kernel.where);
    out.boolean(kernel.ready);
  }
  write(out, summary.diagnostics);
  write(out, summary.helperErrors);
  out.count(summary.constants.size());
  for (const auto& [name, value] : summary.constants) {
    out.text(name);
    out.signedNumber(value);
  }
}

void write(ByteWriter& out, const InstrumentedText& result) {
  write(out, result.device);
  out.count(result.sites.size());
  for (const LogSite& site : result.sites) {
    out.enumerator(site.kind);
    out.range(site.range);
    out.enumerator(site.statement);
    out.range(site.declared);
    out.text(site.name);
    out.number(site.field);
  }
  out.bytes(store(result.program));
}

void write(ByteWriter& out, const Refusal& refusal) {
  out.enumerator(refusal.why);
  write(out, refusal.diagnostics);
  out.text(refusal.message);
}

// -- reading

/// The lines of the texts that places refer to.
class Places {
 public:
  explicit Places(const Request& request) : own_(lengths(request.text)), after_(request.options.instances.size() + 1) {
    for (const auto& [name, text] : request.options.headers) { headers_.emplace(name, lengths(text)); }
  }

  /// Throws InputError if its lines are not those of the text, or of the header. What Clang says of the lines after the
  /// text, where it finds the instances that are wanted, has no place.
  [[nodiscard]] SourceRange within(const SourceRange& where, const std::string& header = {}) const {
    if (where == SourceRange{}) { return {}; }
    const auto named = headers_.find(header);
    if (!header.empty() && named == headers_.end()) { throw forged(); }
    const std::vector<int>& lines = header.empty() ? own_ : named->second;
    const auto count = static_cast<int>(lines.size());
    const bool ordered = where.line > 0 && where.endLine >= where.line && where.column > 0 && where.endColumn > 0;
    if (!ordered || where.endLine > count + static_cast<int>(after_)) { throw forged(); }
    if (where.line > count || where.endLine > count) { return {}; }
    SourceRange place = where;
    place.column = std::min(place.column, lines[static_cast<std::size_t>(place.line) - 1] + 1);
    place.endColumn = std::min(place.endColumn, lines[static_cast<std::size_t>(place.endLine) - 1] + 1);
    if (place.line == place.endLine) { place.endColumn = std::max(place.endColumn, place.column); }
    return place;
  }

  static InputError forged() { return InputError(tr("the compiler's answer is damaged")); }

 private:
  static std::vector<int> lengths(std::string_view text) {
    std::vector<int> found;
    for (std::size_t at = 0; at <= text.size();) {
      // As Clang counts them: a carriage return alone ends a line, too.
      const std::size_t end = std::min(text.find_first_of("\r\n", at), text.size());
      found.push_back(static_cast<int>(end - at));
      at = end + (text.substr(end).starts_with("\r\n") ? 2 : 1);
    }
    return found;
  }

  std::vector<int> own_;
  std::size_t after_;
  std::map<std::string, std::vector<int>> headers_;
};

/// How many follow: never more than any text has, since each takes more memory here than bytes there.
std::size_t readCount(ByteReader& in) {
  constexpr std::uint64_t kMostOfAText = 20'000;
  return in.number<std::size_t>(kMostOfAText);
}

std::vector<std::string> readTexts(ByteReader& in) {
  std::vector<std::string> texts(readCount(in));
  for (std::string& text : texts) { text = in.text(); }
  return texts;
}

std::map<std::string, std::string> readNamedTexts(ByteReader& in) {
  std::map<std::string, std::string> texts;
  for (std::size_t left = readCount(in); left > 0; --left) {
    std::string name = in.text();
    texts.insert_or_assign(std::move(name), in.text());
  }
  return texts;
}

std::vector<Diagnostic> readDiagnostics(ByteReader& in, const Places& places) {
  std::vector<Diagnostic> diagnostics(readCount(in));
  for (Diagnostic& one : diagnostics) {
    one.severity = in.enumerator(Diagnostic::Severity::Error);
    one.kind = in.enumerator(Diagnostic::Kind::CompilerCrash);
    const SourceRange where = in.range();
    for (std::string* text : {&one.message, &one.header, &one.name, &one.suggestion}) { *text = in.text(); }
    one.where = places.within(where, one.header);
  }
  return diagnostics;
}

DeviceText readDeviceText(ByteReader& in) {
  DeviceText device;
  device.prologue = in.text();
  device.text = in.text();
  device.headers = readNamedTexts(in);
  device.kernel = in.text();
  device.variables = readNamedTexts(in);
  return device;
}

/// Whether it is the text with blanks in place of some characters.
bool isBlanked(std::string_view device, std::string_view text) {
  return device.size() == text.size() && std::ranges::equal(device, text, [](char there, char here) {
           return there == here || (there == ' ' && here != '\n');
         });
}

/// As an expression that names a kernel or a variable may be written: on one line, and nothing after it.
bool isNameOnly(const std::string& name) {
  return std::ranges::none_of(name, [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || std::string_view("#;{}\"\\").find(c) != std::string_view::npos;
  });
}

/// A GPU's compiler gets it in this process, and may read what it includes: nothing but the text, its headers and our
/// own declarations. Throws InputError.
void checkDeviceText(const DeviceText& device, const Request& request) {
  const CompileOptions& options = request.options;
  const std::string own = preludes::kPreludeOfGpu + assertBefore(options);
  const bool prologue = device.prologue.starts_with(own) &&
                        isBlanked(std::string_view(device.prologue).substr(own.size()), options.prologue);
  const bool headers = std::ranges::all_of(device.headers, [&](const auto& one) {
    const std::string& text = one.second;
    return text.empty() || (isAssertHeader(one.first) && text == kAssertHeader) ||
           std::ranges::any_of(options.headers, [&](const auto& given) { return isBlanked(text, given.second); });
  });
  const bool names = isNameOnly(device.kernel) && std::ranges::all_of(device.variables, [](const auto& one) {
                       return isNameOnly(one.first) && isNameOnly(one.second);
                     });
  if (!prologue || !headers || !names || !isBlanked(device.text, request.text)) { throw Places::forged(); }
}

void bringWithin(const Places& places, Program& program) {
  const auto bring = [&](SourceRange& where) { where = places.within(where); };
  bring(program.kernelRange);
  for (Instruction& one : program.code) { bring(one.range); }
  for (MemoryObject& one : program.objects) { bring(one.declared); }
  for (Variable& one : program.variables) {
    bring(one.declared);
    bring(one.scope);
  }
  for (Parameter& one : program.parameters) { bring(one.declared); }
  for (Statement& one : program.statements) { bring(one.range); }
  for (LoopInfo& one : program.loops) { bring(one.range); }
  for (FunctionFrame& one : program.functions) {
    bring(one.range);
    bring(one.calledAt);
  }
}

CompileResult readCompileResult(ByteReader& in, const Places& places) {
  CompileResult result{.program = readProgram(in.bytes()), .kernels = readTexts(in), .warnings = {}, .asked = {}};
  bringWithin(places, result.program);
  result.warnings = readDiagnostics(in, places);
  result.asked = readDiagnostics(in, places);
  return result;
}

TextSummary readSummary(ByteReader& in, const Places& places) {
  TextSummary summary;
  summary.kernels.resize(readCount(in));
  for (KernelSummary& kernel : summary.kernels) {
    for (std::string* text : {&kernel.name, &kernel.functionName, &kernel.symbol}) { *text = in.text(); }
    kernel.where = places.within(in.range());
    kernel.ready = in.boolean();
  }
  summary.diagnostics = readDiagnostics(in, places);
  summary.helperErrors = readDiagnostics(in, places);
  for (std::size_t left = readCount(in); left > 0; --left) {
    std::string name = in.text();
    summary.constants.insert_or_assign(std::move(name), in.signedNumber());
  }
  return summary;
}

/// Its places are in the text with its macros expanded, which nobody sees.
InstrumentedText readInstrumentedText(ByteReader& in) {
  InstrumentedText result;
  result.device = readDeviceText(in);
  result.sites.resize(in.number<std::size_t>(kLogSiteMask));
  for (LogSite& site : result.sites) {
    site.kind = in.enumerator(LogKind::Primitive);
    site.range = in.range();
    site.statement = in.enumerator(StatementKind::Switch);
    site.declared = in.range();
    site.name = in.text();
    site.field = in.word();
  }
  result.program = readProgram(in.bytes());
  return result;
}

Refusal readRefusal(ByteReader& in, const Places& places) {
  Refusal refusal;
  refusal.why = in.enumerator(Refusal::Why::Failed);
  refusal.diagnostics = readDiagnostics(in, places);
  refusal.message = in.text();
  return refusal;
}

}  // namespace

std::vector<std::byte> encode(const Request& request) {
  ByteWriter out;
  out.byte(kVersion);
  out.enumerator(request.what);
  out.text(request.file);
  out.text(request.text);
  write(out, request.options.defines);
  out.text(request.options.kernel);
  out.text(request.options.prologue);
  write(out, request.options.headers);
  write(out, request.options.instances);
  out.boolean(request.options.executed);
  return out.take();
}

Request decodeRequest(std::span<const std::byte> bytes) {
  ByteReader in(bytes, "a request to the compiler");
  if (in.byte() != kVersion) { throw InputError("a request to the compiler is of another version of the program"); }
  Request request;
  request.what = in.enumerator(What::Instrument);
  request.file = in.text();
  request.text = in.text();
  request.options.defines = readNamedTexts(in);
  request.options.kernel = in.text();
  request.options.prologue = in.text();
  request.options.headers = readNamedTexts(in);
  request.options.instances = readTexts(in);
  request.options.executed = in.boolean();
  in.finish();
  return request;
}

std::vector<std::byte> encode(const Answer& answer) {
  ByteWriter out;
  out.byte(kVersion);
  out.byte(static_cast<std::uint8_t>(answer.index()));
  std::visit([&](const auto& one) { write(out, one); }, answer);
  return out.take();
}

Answer decodeAnswer(std::span<const std::byte> bytes, const Request& request) {
  ByteReader in(bytes, tr("the compiler's answer"));
  if (in.byte() != kVersion) { throw Places::forged(); }
  const Places places(request);
  const std::uint8_t index = in.byte();
  const bool refused = index == std::variant_size_v<Answer> - 1;
  if (!refused && index != static_cast<std::uint8_t>(request.what)) { throw Places::forged(); }
  Answer answer = [&]() -> Answer {
    if (refused) { return readRefusal(in, places); }
    switch (request.what) {
      case What::Compile:
        return readCompileResult(in, places);
      case What::Summarize:
        return readSummary(in, places);
      case What::DeviceText: {
        DeviceText device = readDeviceText(in);
        checkDeviceText(device, request);
        return device;
      }
      case What::Instrument:
        return readInstrumentedText(in);
    }
    throw Places::forged();
  }();
  in.finish();
  return answer;
}

}  // namespace haloscope::frontend
