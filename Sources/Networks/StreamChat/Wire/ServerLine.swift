import Bytes

/// A line from a server to its clients.
package enum ServerLine: Sendable, Hashable {
    case joined(name: String)
    case left(name: String)
    case message(name: String, text: String)

    /// Returns the bytes to send, with the delimiter.
    ///
    /// The framing's delimiter within a name or text would forge a unit, so it becomes a space: CR and LF with `lf`,
    /// NUL with `nul`. `chunk` has no delimiter, and with `end` clients can't send it.
    package func encoded(_ revision: Revision, _ framing: Framing) -> [UInt8] {
        let noticeEnd = revision == .april2021 && framing != .lf ? [Byte.lineFeed] : []
        let unit =
            switch self {
            case .joined(let name): framing.protecting(name.utf8) + Token.joined + noticeEnd
            case .left(let name): framing.protecting(name.utf8) + Token.left + noticeEnd
            case .message(let name, let text):
                framing.protecting(name.utf8) + Token.separator + framing.protecting(text.utf8)
            }
        return unit + framing.delimiter
    }
}

extension Framing {
    fileprivate var delimiter: [UInt8] {
        switch self {
        case .chunk: []
        case .lf: [Byte.lineFeed]
        case .nul: [Byte.nul]
        case .end: Token.end
        }
    }

    fileprivate func protecting(_ bytes: String.UTF8View) -> [UInt8] {
        switch self {
        case .chunk, .end: Array(bytes)
        case .lf: bytes.map { $0 == Byte.lineFeed || $0 == Byte.carriageReturn ? Byte.space : $0 }
        case .nul: bytes.map { $0 == Byte.nul ? Byte.space : $0 }
        }
    }
}
