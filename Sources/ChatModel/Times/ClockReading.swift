import Glibc

/// This machine's clocks at one instant.
package struct ClockReading: Sendable, Hashable {
    /// The wall clock, which may be wrong and may step.
    package var wall: Timestamp
    /// The time since this machine started, by a clock that is never set and that also runs while the machine sleeps.
    package var steady: Duration

    package init(wall: Timestamp, steady: Duration) {
        (self.wall, self.steady) = (wall, steady)
    }

    /// Reads both clocks, one directly after the other.
    package static func now() -> ClockReading {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return ClockReading(
            wall: .now(), steady: .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec)))
    }

    /// The kernel's random id of this start of the machine, at which ``steady`` begins; nil if the kernel gives none.
    package static let boot: String? = {
        guard let file = fopen("/proc/sys/kernel/random/boot_id", "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 36)
        return fread(&bytes, 1, bytes.count, file) == bytes.count ? String(decoding: bytes, as: UTF8.self) : nil
    }()
}
