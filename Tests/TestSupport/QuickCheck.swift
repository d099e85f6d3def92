import Foundation

/// `make check`, which starts no program and leaves out the tests that take over half a second alone.
///
///     @Test(.disabled(if: QuickCheck.isRunning))
package enum QuickCheck {
    package static let isRunning = ProcessInfo.processInfo.environment["SCROLLBACK_QUICK_CHECK"] != nil
}
