package import Rendering

/// An error of making, continuing or verifying an export.
package typealias ExportError = Failure<ExportErrorCode>

package enum ExportErrorCode: String, Sendable, CaseIterable {
    case export
}
