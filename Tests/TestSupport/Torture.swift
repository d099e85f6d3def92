import Foundation

/// The number of cases to try if all cases would take minutes.
package enum Torture {
    private static func variable(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }

    /// True for `make torture`; `make test` tries some cases.
    package static let isWhole = variable("SCROLLBACK_TORTURE") == "all"

    /// The number of cases that `SCROLLBACK_TORTURE` requests of each test that chooses them by the seed.
    private static let requested = variable("SCROLLBACK_TORTURE").flatMap { Int($0) }

    /// `make test` tries the same cases every time, and a number of cases in `SCROLLBACK_TORTURE` others each time.
    /// `SCROLLBACK_SEED` tries the same again.
    package static let seed =
        variable("SCROLLBACK_SEED").flatMap { UInt64($0) } ?? (requested == nil ? 1 : .random(in: 0...999_999))

    /// The one case to try, such as `evict EIO 57`, or the first words of several, by `SCROLLBACK_CASE`.
    package static let replayed = variable("SCROLLBACK_CASE")

    /// The limit of a suite's time on this machine, in minutes.
    ///
    /// - Parameter whole: The limit in `make torture`.
    package static func minutes(_ usual: Int, whole: Int? = nil) -> Int {
        MachineSpeed.minutes(isWhole || requested != nil || replayed != nil ? whole ?? usual : usual)
    }

    /// Returns all numbers for `make torture`; otherwise `count` of them at equal distances, including the last one.
    package static func spread(_ numbers: ClosedRange<Int>, count: Int) -> [Int] {
        if isWhole { return Array(numbers) }
        return (1...count).map { numbers.lowerBound - 1 + numbers.count * $0 / count }
    }

    /// Returns all cases for `make torture`, those of `SCROLLBACK_CASE`, or `count` of them, chosen by the seed.
    package static func choose<Case: CustomStringConvertible>(_ cases: [Case], count: Int) -> [Case] {
        if let replayed { return cases.filter { "\($0) ".hasPrefix(replayed + " ") } }
        if isWhole { return cases }
        var random = SeededGenerator(seed: seed)
        return Array(cases.shuffled(using: &random).prefix(requested ?? count))
    }
}
