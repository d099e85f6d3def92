/// The kind of a row in a room's history.
package enum MessageKind: String, Sendable, Hashable, CaseIterable {
    case message, action, notice, system, join, leave, kick, rename, topic, mode, invite

    /// True for the kinds that `--hide joins` hides. The store computes the same from its own codes; a test compares
    /// both.
    package var isNoise: Bool {
        switch self {
        case .join, .leave, .rename, .mode: true
        case .message, .action, .notice, .system, .kick, .topic, .invite: false
        }
    }
}
