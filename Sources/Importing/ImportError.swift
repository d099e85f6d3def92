package import Rendering

/// An error of finding or reading the sources of an import.
package typealias ImportError = Failure<ImportErrorCode>

/// The code of an ``ImportError``; `docs/errors/` explains it.
package enum ImportErrorCode: String, Sendable, CaseIterable {
    /// The file is readable, but can't be imported.
    case importSource = "import-source"
    /// The file can't be read.
    case input
}
