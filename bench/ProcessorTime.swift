import Foundation

/// The processor time, user and system, of all threads of this process.
enum ProcessorTime {
    /// Seconds since the process began.
    static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
