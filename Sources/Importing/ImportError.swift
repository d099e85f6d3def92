package import Rendering

/// An error of finding or reading what is imported.
package typealias ImportError = Failure<ImportErrorCode>

package enum ImportErrorCode: String, Sendable, CaseIterable {
    /// The file is readable, and can't be imported as it is.
    case importSource = "import-source"
    /// The file can't be read.
    case input
}
