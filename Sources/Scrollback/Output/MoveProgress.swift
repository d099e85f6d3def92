/// How far an account's file is compressed or made plain, on stderr, where it is a terminal and takes over a second.
final class MoveProgress {
    private let verb: String
    private let account: String
    private let isShown = StandardStream.error.isTerminal
    private var next = ContinuousClock.now + .seconds(1)
    private var wasShown = false

    private static let interval = Duration.milliseconds(200)

    init(verb: String, account: String) {
        self.verb = verb
        self.account = Sanitizer.line(account)
    }

    /// - Parameter bytes: Of the plain file that are done.
    func show(_ bytes: Int64) {
        let now = ContinuousClock.now
        guard isShown, now >= next else { return }
        (next, wasShown) = (now + Self.interval, true)
        StandardStream.note("\r\u{1B}[K\(verb) \(account): \(ByteCount(bytes))")
    }

    /// To the line's beginning, and erases it.
    func clear() {
        if wasShown { StandardStream.note("\r\u{1B}[K") }
    }
}
