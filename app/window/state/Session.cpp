#include "state/Session.h"

#include "language/Text.h"

namespace haloscope {

bool isSession(const std::filesystem::path& path) { return path.extension() == kSessionEnding; }

std::string nameOf(const Session& session) {
  return session.path.empty() ? std::string(tr("scenes")) : session.path.filename().string();
}

}  // namespace haloscope
