import ChatModel

/// The topics of rooms that the account has just joined.
struct IRCTopics: Sendable {
    /// The keys of joined rooms whose list of names is not complete and whose topic was not received.
    private var awaited: Set<String> = []
    /// A topic (332) until the next line, which may say who set it (333); or an empty one since the end of the names, which
    /// a topic in the next line replaces.
    var pending: IncomingMessage?

    mutating func joined(_ room: String) { awaited.insert(room) }

    mutating func left(_ room: String) { awaited.remove(room) }

    /// Notes that the room's topic was received: the end of the names does not show that there is none.
    mutating func changed(_ room: String) { awaited.remove(room) }

    /// Notes the end of the names, which servers send after the topic (RFC 2812 §3.2.1).
    ///
    /// - Returns: True if the room has no topic, because none came since the join.
    mutating func endNames(of room: String) -> Bool { awaited.remove(room) != nil }
}
