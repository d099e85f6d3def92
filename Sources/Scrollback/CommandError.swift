/// Why a command failed, for the person who gave it: what, where, and what to try.
struct CommandError: Error, Hashable {
    let message: String
    /// What to try; nil where nobody can tell.
    let hint: String?

    init(_ message: String, hint: String?) {
        self.message = message
        self.hint = hint
    }
}

extension CommandError: CustomStringConvertible {
    var description: String {
        hint.map { "\(message); \($0)" } ?? message
    }
}
