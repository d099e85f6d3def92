import ChatModel
import IRCWire

/// The time of one input of a session, and what the session wants done after it.
struct IRCStep: Sendable {
    /// The time of receipt, by the account's clock.
    var at: Timestamp
    /// Since the session began, on a clock that is never set.
    var elapsed: Duration
    var events: [ChatEvent] = []
    /// Lines to send before all others.
    var urgent: [IRCMessage] = []
    var send: [IRCMessage] = []
    /// Troubles for an operator, each reported once: "#example can't be joined: …".
    var troubles: [String] = []
    /// Questions for the archive.
    var lookups: [IRCBackfill.Lookup] = []
    var fetched: [IRCFetched] = []
    /// The progress of fetching history, where it changed.
    var progress: BackfillProgress?
    var hasProgress = false
    /// True when more of the input waits for ``IRCSession/proceed()``.
    var hasMore = false
    var end: SessionEnd?
}
