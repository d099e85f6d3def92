/// An error with a text for people, and a code that `docs/errors/` explains.
package protocol CodedError: Error, CustomStringConvertible {
    /// The name of the code, which is in brackets after the text: `locked`.
    var codeName: String { get }
}

extension CodedError {
    /// The text with the code: `can't read "soon" as a time; try yesterday [bad-time]`.
    package var sentence: String {
        "\(self) [\(codeName)]"
    }
}

/// The error of a library: a code for callers; and the mistake, its place and advice for people.
package struct Failure<Code: RawRepresentable<String> & Hashable & Sendable>: CodedError, Hashable {
    package let code: Code
    /// The mistake, with the value and the place.
    package let detail: String
    /// Advice; nil if there is none.
    package let hint: String?

    package init(_ code: Code, _ detail: String, hint: String?) {
        (self.code, self.detail, self.hint) = (code, detail, hint)
    }

    package var codeName: String { code.rawValue }

    package var description: String {
        hint.map { "\(detail); \($0)" } ?? detail
    }
}

/// An error of writing to the standard streams, to a pager or to a terminal.
package typealias OutputError = Failure<OutputErrorCode>

/// The code of an ``OutputError``; `docs/errors/` explains it.
package enum OutputErrorCode: String, Sendable, CaseIterable {
    case editor
    /// Standard output can't be written: a full disk, for example.
    case output
    case pager
    /// The terminal can't show a full screen, or the library that draws on it is missing.
    case terminal
}
