package import Rendering

/// The reason why the demonstration failed.
package typealias DemoError = Failure<DemoErrorCode>

/// The code of a ``DemoError``; `docs/errors/` explains it.
package enum DemoErrorCode: String, Sendable, CaseIterable {
    case demo
    case temporaryFolder = "temporary-folder"
}
