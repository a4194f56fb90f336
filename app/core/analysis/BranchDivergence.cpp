#include "analysis/BranchDivergence.h"

#include <numeric>

#include "simt/Warp.h"

namespace haloscope::analysis {

BranchDivergence::BranchDivergence(const Program& program)
    : program_(program), statements_(program.statements.size()) {}

bool BranchDivergence::follows(std::uint32_t instruction) const {
  const Opcode op = program_.code[instruction].op;
  return op == Opcode::If || op == Opcode::LoopTest;
}

std::unique_ptr<simt::Observer> BranchDivergence::fork() const { return std::make_unique<BranchDivergence>(program_); }

void BranchDivergence::join(Observer& worker) {
  const auto& others = static_cast<BranchDivergence&>(worker).statements_;
  for (std::size_t i = 0; i < statements_.size(); ++i) { statements_[i] += others[i]; }
}

void BranchDivergence::blockBegins(const Dim3& /*block*/, std::uint64_t /*blockLinear*/) { warps_.clear(); }

BranchDivergence::At& BranchDivergence::at(const simt::WarpContext& context) {
  if (warps_.size() <= context.warp) { warps_.resize(context.warp + 1); }
  return warps_[context.warp];
}

void BranchDivergence::statement(const simt::WarpContext& context, StatementId statement) {
  at(context) = {statement, false};
}

void BranchDivergence::instruction(const simt::WarpContext& context, std::uint32_t /*instruction*/) {
  At& warp = at(context);
  const LaneMask taking = context.state->active() & context.active;
  if (warp.divided || warp.statement == kNone || taking == 0 || taking == context.active) { return; }
  warp.divided = true;
  ++statements_[warp.statement];
}

std::uint64_t BranchDivergence::total() const {
  return std::accumulate(statements_.begin(), statements_.end(), std::uint64_t{0});
}

}  // namespace haloscope::analysis
