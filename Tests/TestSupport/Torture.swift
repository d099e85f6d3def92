import Foundation

/// The number of cases to try if all cases would take minutes.
package enum Torture {
    /// True for `make torture`; `make test` tries some cases.
    package static let isWhole = ProcessInfo.processInfo.environment["SCROLLBACK_TORTURE"] == "all"

    /// Returns all numbers for `make torture`; otherwise `count` of them at equal distances, including the last one.
    package static func spread(_ numbers: ClosedRange<Int>, count: Int) -> [Int] {
        if isWhole { return Array(numbers) }
        return (1...count).map { numbers.lowerBound - 1 + numbers.count * $0 / count }
    }
}
