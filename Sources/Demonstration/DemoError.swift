package import Rendering

/// The reason why the demonstration failed.
package typealias DemoError = Failure<DemoErrorCode>

package enum DemoErrorCode: String, Sendable, CaseIterable {
    case demo
    case temporaryFolder = "temporary-folder"
}
