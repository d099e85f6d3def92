import Rendering

/// An error of finding or reading a source of an import.
package struct ImportError: CodedError, Hashable {
    package let code: ImportErrorCode
    /// The file, folder, archive or room, for people.
    package let file: String
    /// The mistake, without the file, so that files with the same mistake can be reported together.
    package let reason: String
    /// Advice; nil if there is none.
    package let hint: String?

    package init(_ code: ImportErrorCode, _ file: String, _ reason: String, hint: String?) {
        (self.code, self.file, self.reason, self.hint) = (code, file, reason, hint)
    }

    package var codeName: String { code.rawValue }

    package var description: String {
        "\(file): \(reason)" + (hint.map { "; \($0)" } ?? "")
    }
}

/// The code of an ``ImportError``; `docs/errors/` explains it.
package enum ImportErrorCode: String, Sendable, CaseIterable {
    /// The file is readable, but can't be imported.
    case importSource = "import-source"
    /// The file can't be read.
    case input
    /// The archive has the messages at other times.
    case shifted
}
