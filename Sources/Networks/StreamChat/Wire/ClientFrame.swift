/// A frame from a client to the server.
package enum ClientFrame: Sendable, Hashable {
    case join(name: String)
    case message(text: String)
    case leave

    /// Returns the bytes to send; none for `leave` in 2021-04, which has no such frame.
    ///
    /// Does not validate names and texts; ``Outgoing`` does.
    package func encoded(_ revision: Revision) -> [UInt8] {
        let end = revision == .april2021 ? [] : Token.end
        return switch self {
        case .join(let name): Prefix.join.bytes + name.utf8 + end
        case .message(let text): Prefix.message.bytes + text.utf8 + end
        case .leave: revision == .april2021 ? [] : Prefix.leave.bytes + end
        }
    }

    /// The beginning of a client's frame.
    enum Prefix: String, CaseIterable {
        case join = "USR_NAME"
        case message = "MSG"
        case leave = "LEAVE"

        /// The word, without the `::` after it.
        var word: String.UTF8View { rawValue.utf8 }
        var bytes: [UInt8] { Array(word) + Token.separator }

        /// Returns the frame with this prefix; nil if the payload isn't valid UTF-8.
        func frame(payload: ArraySlice<UInt8>) -> ClientFrame? {
            guard self != .leave else { return .leave }
            guard let text = String(validating: payload, as: UTF8.self) else { return nil }
            return self == .join ? .join(name: text) : .message(text: text)
        }
    }
}
