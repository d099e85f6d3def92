import Foundation
import Synchronization

/// What this process takes of the machine.
enum ProcessFigures {
    /// Resident, in MiB.
    static var memory: Int {
        get throws {
            let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
            guard let kibibytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
            else { throw BenchmarkError("no VmRSS in /proc/self/status") }
            return kibibytes / 1024
        }
    }

    /// Open ones, the one that looks left out.
    static var descriptors: Int {
        get throws { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count - 1 }
    }

    /// As many as the system lets it have.
    ///
    /// - Returns: how many that is.
    static func raiseDescriptorLimit() -> Int {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return Int(clamping: limit.rlim_cur)
    }
}

/// Looks again and again, on a thread of its own, how many descriptors are open.
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
                // With 20,000 of them looking takes 10 ms.
                usleep(200_000)
            }
        }
    }

    /// Ends it.
    ///
    /// - Returns: the most that were open at once.
    func end() -> Int {
        state.withLock { state in
            state.isOver = true
            return state.most
        }
    }
}
