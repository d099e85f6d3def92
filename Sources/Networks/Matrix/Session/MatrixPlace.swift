import ChatModel

/// The place in the server's stream, as the archive keeps it: when it was reached, and the server's token.
struct MatrixPlace: Sendable {
    var time: Timestamp
    var token: String

    init(time: Timestamp, token: String) { (self.time, self.token) = (time, token) }

    init?(_ text: String?) {
        guard let text, let space = text.firstIndex(of: " "), let time = Int64(text[..<space]) else { return nil }
        self.init(time: Timestamp(microseconds: time), token: String(text[text.index(after: space)...]))
    }

    var text: String { "\(time.microseconds) \(token)" }
}
