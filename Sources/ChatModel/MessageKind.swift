/// What a row of a room's history is.
package enum MessageKind: String, Sendable, Hashable, CaseIterable {
    case message, action, notice, system, join, leave, kick, rename, topic, mode, invite

    /// What `--hide joins` hides. The store derives the same from its own codes; a test compares the two.
    package var isNoise: Bool {
        switch self {
        case .join, .leave, .rename, .mode: true
        case .message, .action, .notice, .system, .kick, .topic, .invite: false
        }
    }
}
