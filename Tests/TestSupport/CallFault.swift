/// A call of a command that opens or changes something, from the log of `Tests/CrashPoint`.
package struct LoggedCall: Sendable {
    package let number: Int
    package let name: Substring
    /// True if the call was made to fail.
    package let hasFailed: Bool
    package let path: Substring

    init?(line: Substring) {
        let parts = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, let number = Int(parts[0]) else { return nil }
        (self.number, name, hasFailed, path) = (number, parts[1], parts[2] == "failed", parts[3])
    }

    package var isWrite: Bool { name == "write" || name == "send" }
    package var isSync: Bool { name == "fsync" || name == "fdatasync" }
}

/// One fault at one call of a command.
package struct CallFault: Sendable, CustomStringConvertible {
    package enum Way: String, Sendable, CaseIterable {
        case kill, half
        case inputOutput = "EIO"
        case failingDisk = "EIO-on"
        case noSpace = "ENOSPC"
        case fullDisk = "ENOSPC-on"
        case interrupted = "EINTR"
        case short = "SHORT"
        case reset = "ECONNRESET"
    }

    /// The name of the command, such as `evict`.
    package let command: String
    package let way: Way
    package let call: LoggedCall

    package init(command: String, way: Way, call: LoggedCall) {
        (self.command, self.way, self.call) = (command, way, call)
    }

    /// `evict EIO 57`, as in `SCROLLBACK_CASE`.
    package var description: String { "\(command) \(way.rawValue) \(call.number)" }

    /// The environment of the library.
    package var point: CrashPoint {
        let parts = way.rawValue.split(separator: "-")
        var point = ["AT": "\(call.number)"]
        switch way {
        case .kill: break
        case .half: point["WHEN"] = "half"
        default: point["FAIL"] = String(parts[0])
        }
        if parts.count > 1 { point["LASTING"] = "1" }
        return point
    }

    /// True for a fault that the program has to hide by making the rest of the call again.
    package var isInvisible: Bool { way == .interrupted || way == .short }
    package var isKill: Bool { way == .kill || way == .half }

    /// True if the call may meet the fault: see `may_fail` of `Tests/CrashPoint`. A kill before a call that changes
    /// nothing is one before the next call.
    package var isPossible: Bool {
        let isSend = call.name == "send"
        return switch way {
        case .kill: call.name != "open"
        case .half: call.isWrite
        case .inputOutput, .failingDisk: !isSend
        case .noSpace, .fullDisk:
            call.isWrite && !isSend || call.isSync
                || ["create", "mkdirat", "rename", "linkat", "ftruncate", "truncate", "fallocate"].contains(call.name)
        case .interrupted: call.isWrite || ["open", "create", "ftruncate", "fallocate"].contains(call.name)
        case .short: call.isWrite
        case .reset: isSend
        }
    }
}
