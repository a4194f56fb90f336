#include "recording/LogStream.h"

#include <algorithm>

#include "language/Text.h"

namespace haloscope::recording {

LogError unknownAccess(const LogSite& site) {
  return LogError(tr("an access at line ") + std::to_string(site.range.line) + tr(" is not in the program"));
}

LogError skippedCall(const LogSite& site) {
  return LogError(tr("within the expression at line ") + std::to_string(site.range.line) +
                  tr(" only some threads call a function, and what the others do is unknown; use an "
                     "if statement instead"));
}

ProgramPlaces::ProgramPlaces(const Program& program)
    : program_(program),
      resumes_(program.functions.size(), kNone),
      ends_(program.code.size()),
      chainOf_(program.code.size()) {
  for (const Statement& one : program.statements) {
    statements_[{one.function, {one.kind, {one.range.line, one.range.column}}}] = one.firstInstruction;
  }
  chains_.emplace_back();
  std::vector<std::uint32_t> chain, chainIds{0}, functions{0};
  for (std::uint32_t i = 0; i < program.code.size(); ++i) {
    const Instruction& instruction = program.code[i];
    if (instruction.op == Opcode::Loop) {
      chain.push_back(i);
      chains_.push_back(chain);
      chainIds.push_back(static_cast<std::uint32_t>(chains_.size() - 1));
    }
    chainOf_[i] = chainIds.back();
    if (instruction.op == Opcode::EndLoop && !chain.empty()) {
      chain.pop_back();
      chainIds.pop_back();
    }
    if (instruction.op == Opcode::Call) {
      const std::uint32_t callee = instruction.aux;
      const SourceRange& at = program.functions[callee].calledAt;
      if (callee != functions.back()) {
        callees_[{functions.back(), {{at.line, at.column}, {at.endLine, at.endColumn}}}] = callee;
      }
      functions.push_back(callee);
    } else if (instruction.op == Opcode::EndCall && functions.size() > 1) {
      const std::uint32_t left = functions.back();
      functions.pop_back();
      const bool goesOn = i + 1 < program.code.size() && program.code[i + 1].op == Opcode::Statement &&
                          program.statements[program.code[i + 1].aux].firstInstruction != i + 1;
      if (left != functions.back()) { resumes_[left] = goesOn ? i + 1 : kNone; }
    }
  }
  std::uint32_t next = static_cast<std::uint32_t>(program.code.size());
  for (std::uint32_t i = next; i-- > 0;) {
    ends_[i] = next;
    if (program.code[i].op == Opcode::Statement) { next = i; }
  }
}

std::uint32_t ProgramPlaces::statement(std::uint32_t function, const LogSite& site) const {
  const auto found = statements_.find({function, {site.statement, {site.range.line, site.range.column}}});
  if (found == statements_.end()) {
    throw LogError(tr("the statement at line ") + std::to_string(site.range.line) + tr(" is not in the program"));
  }
  return found->second;
}

std::uint32_t ProgramPlaces::callee(std::uint32_t function, const SourceRange& call) const {
  const auto found = callees_.find({function, {{call.line, call.column}, {call.endLine, call.endColumn}}});
  if (found == callees_.end()) {
    throw LogError(tr("the call at line ") + std::to_string(call.line) + tr(" is not in the program"));
  }
  return found->second;
}

bool ProgramPlaces::comesLater(std::uint32_t begin, const std::function<bool(const Instruction&)>& wanted) const {
  const std::vector<Instruction>& code = program_.code;
  for (std::uint32_t at = end(begin); at < code.size(); at = end(at)) {
    if (code[at].op != Opcode::Statement || code[at].aux != code[begin].aux) { continue; }
    if (std::any_of(code.begin() + at, code.begin() + end(at), wanted)) { return true; }
  }
  return false;
}

LogStream::LogStream(std::span<const std::uint32_t> words, const std::vector<LogSite>& sites,
                     const ProgramPlaces& places) {
  std::vector<std::uint32_t> functions{0};
  std::vector<std::uint32_t> calls;  // sites of those entered
  std::uint32_t statements = 0;
  const auto begin = [&](std::uint32_t instruction, std::uint32_t clock) {
    units.push_back({instruction, clock, static_cast<std::uint32_t>(entries.size()), 0, statements});
  };
  // A site of the same function is the same statement each time: loops come back to it.
  struct Found {
    std::uint32_t function = kNone, instruction = kNone;
  };
  std::vector<Found> found(sites.size());
  const auto statement = [&](std::uint32_t function, std::uint32_t site) {
    Found& known = found[site];
    if (known.function != function) { known = {function, places.statement(function, sites[site])}; }
    return known.instruction;
  };
  constexpr std::size_t kWordsOfEntry = 5, kWordsOfUnit = 6;  // about
  entries.reserve(words.size() / kWordsOfEntry);
  units.reserve(words.size() / kWordsOfUnit);
  for (std::size_t at = 0; at < words.size();) {
    const std::uint32_t head = words[at];
    const auto kind = static_cast<LogKind>(head >> kLogKindShift);
    const std::uint32_t site = head & kLogSiteMask;
    const std::size_t count = head >> kLogPayloadShift & kLogPayloadMask;
    if (at + 1 + count > words.size()) { throw LogError(tr("an entry is longer than the log")); }
    const std::span<const std::uint32_t> payload = words.subspan(at + 1, count);
    at += 1 + count;
    // Functions begin and end without a position of their own.
    const bool placed = kind != LogKind::Primitive && kind != LogKind::Begin && kind != LogKind::Leave;
    if (placed && (site >= sites.size() || sites[site].kind != kind)) {
      throw LogError(tr("an entry refers to no position in the source"));
    }
    switch (kind) {
      case LogKind::Statement:
        ++statements;
        begin(statement(functions.back(), site), payload.empty() ? 0 : payload[0]);
        break;
      case LogKind::Enter:
        calls.push_back(site);
        break;
      case LogKind::Begin:
        if (calls.empty()) { throw LogError(tr("a function starts that was not called")); }
        functions.push_back(places.callee(functions.back(), sites[calls.back()].range));
        break;
      case LogKind::Leave: {
        if (calls.empty() || functions.size() < 2) { throw LogError(tr("a function ends that was not called")); }
        const std::uint32_t resume = places.resume(functions.back());
        functions.pop_back();
        calls.pop_back();
        if (resume != kNone) { begin(resume, units.empty() ? 0 : units.back().clock); }
        break;
      }
      default:
        // The arrays' addresses are logged before the first statement.
        entries.push_back({kind, site, functions.back(), payload});
        if (!units.empty()) { ++units.back().entryCount; }
        break;
    }
  }
}

}  // namespace haloscope::recording
