#include "LoggedKernel.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <random>
#include <string>

#include "SmallLaunch.h"
#include "program/Bytes.h"
#include "program/Launch.h"
#include "program/SameCode.h"
#include "program/StoredProgram.h"
#include "recording/Cursor.h"
#include "recording/LogReader.h"

namespace haloscope::fuzz {

namespace {

constexpr std::uint32_t kMostWords = 20'000;  ///< of a thread

void writeSite(ByteWriter& to, const LogSite& site) {
  const auto& [kind, range, statement, declared, name, field] = site;
  to.enumerator(kind);
  to.range(range);
  to.enumerator(statement);
  to.range(declared);
  to.text(name);
  to.number(field);
}

LogSite readSite(ByteReader& from) {
  LogSite site;
  site.kind = from.enumerator(LogKind::Primitive);
  site.range = from.range();
  site.statement = from.enumerator(StatementKind::Switch);
  site.declared = from.range();
  site.name = from.text();
  site.field = from.word();
  return site;
}

}  // namespace

std::vector<std::byte> bytesOf(const LoggedKernel& kernel) {
  ByteWriter to;
  to.bytes(store(kernel.program));
  to.bytes(store(kernel.placed));
  to.count(kernel.sites.size());
  for (const LogSite& site : kernel.sites) { writeSite(to, site); }
  to.number(kernel.log.places.size());
  for (const auto& [object, address] : kernel.log.places) {
    to.number(object);
    to.number(address);
  }
  // Of each thread what it has written, and how much it would have.
  to.number(kernel.log.capacity);
  to.count(kernel.log.counts.size());
  for (std::size_t thread = 0; thread < kernel.log.counts.size(); ++thread) {
    const std::uint32_t count = kernel.log.counts[thread];
    to.number(count);
    for (std::uint32_t i = 0; i < std::min(count, kernel.log.capacity); ++i) {
      to.number(kernel.log.words[thread * kernel.log.capacity + i]);
    }
  }
  return to.take();
}

LoggedKernel loggedKernelOf(std::span<const std::byte> bytes) {
  ByteReader from(bytes, "the log");
  LoggedKernel kernel;
  kernel.program = readProgram(from.bytes());
  kernel.placed = readProgram(from.bytes());
  kernel.sites.resize(from.count(12));
  for (LogSite& site : kernel.sites) { site = readSite(from); }
  for (std::size_t rest = from.count(2); rest > 0; --rest) {
    const auto object = from.number<ObjectId>(kernel.program.objects.size());
    const std::uint64_t address = from.number();
    if (object < kernel.program.objects.size()) { kernel.log.places[object] = address; }
  }
  BlockLog& log = kernel.log;
  log.capacity = from.number<std::uint32_t>(kMostWords);
  const std::size_t threads = smallLaunch(kernel.program).configuration.threadsPerBlock();
  log.counts.assign(threads, 0);
  log.words.assign(threads * log.capacity, 0);
  if (from.count() != threads) { from.refuse(); }
  for (std::size_t thread = 0; thread < threads; ++thread) {
    log.counts[thread] = from.word();
    for (std::uint32_t i = 0; i < std::min(log.counts[thread], log.capacity); ++i) {
      log.words[thread * log.capacity + i] = from.word();
    }
  }
  from.finish();
  // Others are refused before a GPU logs anything.
  if (!sameCode(kernel.program, kernel.placed)) { from.refuse(); }
  return kernel;
}

LoggedKernel mutatedLog(LoggedKernel kernel, unsigned seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::size_t count) { return count == 0 ? 0 : random() % count; };
  BlockLog& log = kernel.log;
  const std::size_t changes = 1 + below(4);
  for (std::size_t i = 0; i < changes && !log.words.empty(); ++i) {
    const std::size_t thread = below(log.counts.size());
    const std::size_t begin = thread * log.capacity;
    const std::size_t written = std::min(log.counts[thread], log.capacity);
    std::uint32_t& word = log.words[begin + below(std::max<std::size_t>(written, 1))];
    switch (below(10)) {
      case 0:
        word = static_cast<std::uint32_t>(random());
        break;
      case 1:  // another kind
        word = (word & ~(0xfU << kLogKindShift)) | static_cast<std::uint32_t>(below(14)) << kLogKindShift;
        break;
      case 2:  // another length
        word = (word & ~(kLogPayloadMask << kLogPayloadShift)) | static_cast<std::uint32_t>(below(9))
                                                                     << kLogPayloadShift;
        break;
      case 3:  // another site
        word = (word & ~kLogSiteMask) | static_cast<std::uint32_t>(below(kernel.sites.size() + 1));
        break;
      case 4:
        word += static_cast<std::uint32_t>(below(64)) - 32;
        break;
      case 5: {  // the same in all lanes
        const std::uint32_t value = word;
        const std::size_t at = static_cast<std::size_t>(&word - log.words.data()) - begin;
        for (std::size_t other = 0; other < log.counts.size(); ++other) {
          if (at < std::min(log.counts[other], log.capacity)) { log.words[other * log.capacity + at] = value ^ 1U; }
        }
        break;
      }
      case 6:
        log.counts[thread] = static_cast<std::uint32_t>(below(std::size_t{log.capacity} + 2));
        break;
      case 7:  // what another thread has written
        if (const std::size_t other = below(log.counts.size()); other != thread) {
          log.counts[thread] = log.counts[other];
          std::copy_n(log.words.begin() + static_cast<std::ptrdiff_t>(other * log.capacity), log.capacity,
                      log.words.begin() + static_cast<std::ptrdiff_t>(begin));
        }
        break;
      case 8:
        if (!log.places.empty()) {
          std::next(log.places.begin(), static_cast<std::ptrdiff_t>(below(log.places.size())))->second = random();
        }
        break;
      default:
        if (!kernel.sites.empty()) {
          LogSite& site = kernel.sites[below(kernel.sites.size())];
          const LogSite& other = kernel.sites[below(kernel.sites.size())];
          if (below(2) == 0) {
            site.field = static_cast<std::uint32_t>(random());
          } else {
            site.range = other.range;
            site.declared = other.declared;
          }
        }
        break;
    }
  }
  return kernel;
}

std::size_t readBack(std::span<const std::byte> bytes) {
  const LoggedKernel kernel = loggedKernelOf(bytes);
  const auto program = std::make_shared<const Program>(kernel.program);
  const Launch launch = smallLaunch(*program);
  const recording::LoggedBlock block{.program = program,
                                     .placed = &kernel.placed,
                                     .sites = &kernel.sites,
                                     .launch = &launch,
                                     .block = kFirstBlock,
                                     .log = &kernel.log};
  std::size_t steps = 0;
  for (const auto order : {recording::LogOrder::SideBySide, recording::LogOrder::Clock}) {
    recording::Cursor cursor(recording::readLog(block, order));
    cursor.goTo(cursor.end());
    cursor.previousInterval();
    cursor.goTo(0);
    steps += cursor.end();
  }
  return steps;
}

}  // namespace haloscope::fuzz
