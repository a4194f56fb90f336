#pragma once

#include "HostSession.h"

namespace haloscope::fuzz {

/// Changes to a session that keep most of its messages readable: a few of them deleted, doubled, moved, made another
/// message; their numbers made extreme or exchanged; texts, lists and payloads of other sizes; a few bytes damaged.
/// The same seed gives the same session. The task stays.
[[nodiscard]] HostSession mutatedSession(HostSession session, unsigned seed);
/// Packets of one session among those of the other, whose task stays.
[[nodiscard]] HostSession joinedSessions(HostSession session, const HostSession& other, unsigned seed);

}  // namespace haloscope::fuzz
