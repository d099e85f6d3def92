/// An error in words for people, and the code under which `docs/errors/` explains it.
package protocol CodedError: Error, CustomStringConvertible {
    /// The name of the code, in brackets behind the words: `locked`.
    var codeName: String { get }
}

extension CodedError {
    /// The words with the code: `no time; try yesterday [bad-time]`.
    package var sentence: String {
        "\(self) [\(codeName)]"
    }
}

/// The error of a library: a code for callers; what is wrong, where, and what to try for people.
package struct Failure<Code: RawRepresentable<String> & Hashable & Sendable>: CodedError, Hashable {
    package let code: Code
    /// The mistake, with the value and the place.
    package let detail: String
    /// Advice; nil where none is known.
    package let hint: String?

    package init(_ code: Code, _ detail: String, hint: String?) {
        self.code = code
        self.detail = detail
        self.hint = hint
    }

    package var codeName: String { code.rawValue }

    package var description: String {
        hint.map { "\(detail); \($0)" } ?? detail
    }
}

/// An error of writing to the standard streams or to a pager.
package typealias OutputError = Failure<OutputErrorCode>

package enum OutputErrorCode: String, Sendable, CaseIterable {
    /// Standard output can't be written: a full disk, for example.
    case output
    case pager
}
