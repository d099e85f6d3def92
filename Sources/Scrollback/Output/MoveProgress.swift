import Synchronization

/// How far an account's file is compressed, made plain or copied, on stderr, where it is a terminal and takes over a second.
final class MoveProgress: Sendable {
    private let verb: String
    private let isShown = StandardStream.error.isTerminal
    private let state = Mutex(State())

    private struct State {
        var account: String?
        var next = ContinuousClock.now
        var wasShown = false
    }

    private static let patience = Duration.seconds(1)
    private static let interval = Duration.milliseconds(200)

    init(verb: String) {
        self.verb = verb
    }

    /// - Parameters:
    ///   - bytes: Of the account's file that are done.
    ///   - note: Said after them.
    func show(_ account: String, _ bytes: Int64, _ note: String = "") {
        guard isShown else { return }
        state.withLock { state in
            let now = ContinuousClock.now
            if state.account != account {
                clear(&state)
                (state.account, state.next) = (account, now + Self.patience)
            }
            guard now >= state.next else { return }
            (state.next, state.wasShown) = (now + Self.interval, true)
            StandardStream.note("\r\u{1B}[K\(verb) \(Sanitizer.line(account)): \(ByteCount(bytes))\(note)")
        }
    }

    /// To the line's beginning, and erases it.
    func clear() {
        state.withLock { state in clear(&state) }
    }

    private func clear(_ state: inout State) {
        if state.wasShown { StandardStream.note("\r\u{1B}[K") }
        state.wasShown = false
    }
}
