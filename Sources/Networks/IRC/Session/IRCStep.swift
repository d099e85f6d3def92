import ChatModel
import IRCWire
import Sessions

/// The time of one input of a session, and the results of that input.
struct IRCStep: Sendable {
    /// The time of receipt, by the account's clock.
    var at: Timestamp
    /// The time since the session began, by a clock that is never set.
    var elapsed: Duration
    var events: [ChatEvent] = []
    /// Lines to send before all others.
    var urgent: [IRCMessage] = []
    var send: [IRCMessage] = []
    /// New troubles for an operator, each reported once: "#example can't be joined: …".
    var troubles: [String] = []
    /// Questions for the archive.
    var lookups: [IRCLookup] = []
    var fetched: [IRCFetched] = []
    /// The progress of fetching history; nil if it did not change.
    var progress: BackfillProgress?
    var hasProgress = false
    /// True if a part of the input waits for ``IRCSession/proceed()``.
    var hasMore = false
    var end: SessionEnd?
}
