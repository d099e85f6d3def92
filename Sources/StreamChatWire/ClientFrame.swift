/// What a client says to the server.
package enum ClientFrame: Sendable, Hashable {
    case join(name: String)
    case message(text: String)
    case leave

    /// The bytes to send; none where the revision has no such frame, which is LEAVE in 2021-04.
    ///
    /// Nothing is checked: ``Outgoing`` says what may be sent.
    package func encoded(_ revision: Revision) -> [UInt8] {
        let end = revision == .april2021 ? [] : Token.end
        return switch self {
        case .join(let name): Prefix.join.bytes + name.utf8 + end
        case .message(let text): Prefix.message.bytes + text.utf8 + end
        case .leave: revision == .april2021 ? [] : Prefix.leave.bytes + end
        }
    }

    /// What a client's frame begins with.
    enum Prefix: String, CaseIterable {
        case join = "USR_NAME"
        case message = "MSG"
        case leave = "LEAVE"

        /// Without the `::` after it.
        var word: String.UTF8View { rawValue.utf8 }
        var bytes: [UInt8] { Array(word) + Token.separator }

        /// The frame with this prefix; nil where the payload is no UTF-8.
        func frame(payload: ArraySlice<UInt8>) -> ClientFrame? {
            guard self != .leave else { return .leave }
            guard let text = String(validating: payload, as: UTF8.self) else { return nil }
            return self == .join ? .join(name: text) : .message(text: text)
        }
    }
}
