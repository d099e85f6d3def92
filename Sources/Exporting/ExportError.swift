package import Rendering

/// An error of making, continuing or verifying an export.
package typealias ExportError = Failure<ExportErrorCode>

/// The code of an ``ExportError``; `docs/errors/` explains it.
package enum ExportErrorCode: String, Sendable, CaseIterable {
    case export
}
