import Foundation

/// How much is tried where everything would take minutes.
package enum Torture {
    /// Told by `make torture`; `make test` tries some.
    package static let isWhole = ProcessInfo.processInfo.environment["SCROLLBACK_TORTURE"] == "all"

    /// All of them, or so many that lie evenly, the last one among them.
    package static func spread(_ numbers: ClosedRange<Int>, count: Int) -> [Int] {
        if isWhole { return Array(numbers) }
        return (1...count).map { numbers.lowerBound - 1 + numbers.count * $0 / count }
    }
}
