import Foundation
import Synchronization

/// The resources that this process uses.
enum ProcessFigures {
    /// The resident memory, in MiB.
    static var memory: Int {
        get throws {
            let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
            guard let kibibytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
            else { throw BenchmarkError("no VmRSS in /proc/self/status") }
            return kibibytes / 1024
        }
    }

    /// The number of open descriptors, without the one that reads them.
    static var descriptors: Int {
        get throws { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count - 1 }
    }

    /// Raises the limit of descriptors as far as the system allows.
    ///
    /// - Returns: The new limit.
    static func raiseDescriptorLimit() -> Int {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return Int(clamping: limit.rlim_cur)
    }
}

/// Reads the number of open descriptors at intervals, on a separate thread.
final class DescriptorWatch: Sendable {
    private struct State {
        var most = 0
        var isOver = false
    }

    private let state = Mutex(State())

    init() {
        Thread.detachNewThread { [self] in
            while !state.withLock(\.isOver) {
                let count = (try? ProcessFigures.descriptors) ?? 0
                state.withLock { $0.most = max($0.most, count) }
                // With 20,000 descriptors, a reading takes 10 ms.
                usleep(200_000)
            }
        }
    }

    /// Ends the readings.
    ///
    /// - Returns: The highest number of descriptors.
    func end() -> Int {
        state.withLock { state in
            state.isOver = true
            return state.most
        }
    }
}
