internal import CZlib

/// The speed of this machine, by which every wait of a test is measured. Python's tests have it in `Tests/Soak/patience.py`.
package enum MachineSpeed {
    /// Measured on an idle machine of two cores: the time of ``measure()``.
    private static let idle = Duration.milliseconds(150)

    /// The most that waits are extended, so that a test ends in any case.
    private static let most = 20.0

    /// Returns how many times as long as on an idle machine something takes at the moment, from 1 to 20.
    package static func slowness() -> Double {
        min(max(measure() / idle, 1), most)
    }

    /// The slowness when the tests began.
    private static let first = slowness()

    /// Returns a suite's limit in minutes for this machine.
    package static func minutes(_ usual: Int) -> Int { Int((Double(usual) * first).rounded(.up)) }

    /// The time of the sums (CRC-32) of 400 MiB, which a debug build does not make slower.
    private static func measure() -> Duration {
        let block = [UInt8](repeating: 7, count: 64 * 1024)
        return ContinuousClock().measure {
            var sum: UInt = 0
            for _ in 0..<6400 { sum = block.withUnsafeBufferPointer { crc32(sum, $0.baseAddress, 64 * 1024) } }
        }
    }
}
