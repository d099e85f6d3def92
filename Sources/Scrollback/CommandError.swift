/// Why a command failed, for the person who gave it: what, where, and what to try.
struct CommandError: Error, Hashable {
    let page: ErrorPage
    let message: String
    /// What to try; nil where nobody can tell.
    let hint: String?

    init(_ page: ErrorPage, _ message: String, hint: String?) {
        self.page = page
        self.message = message
        self.hint = hint
    }
}

extension CommandError: CustomStringConvertible {
    var description: String {
        hint.map { "\(message); \($0)" } ?? message
    }

    /// As a person is told it.
    var told: String {
        "\(description) [\(page.rawValue)]"
    }
}
