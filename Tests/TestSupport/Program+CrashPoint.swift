import Foundation

/// The `CRASH_POINT_…` variables of `Tests/CrashPoint`, by the last part of their names.
package typealias CrashPoint = [String: String]

extension Program {
    /// Returns the same program, which is killed at a system call or has a planted fault.
    package func with(_ point: CrashPoint) -> Program {
        var program = self
        program.environment["LD_PRELOAD"] = (Self.path as NSString).deletingLastPathComponent + "/libCrashPoint.so"
        program.environment["CRASH_POINT_FOLDER"] = environment["CRASH_POINT_FOLDER"] ?? data
        for (name, value) in point { program.environment["CRASH_POINT_\(name)"] = value }
        return program
    }

    /// Returns the number of the command's calls: one less than the first number at which it is not killed, found by
    /// trying.
    ///
    /// - Parameter reset: Restores the state from before the command.
    package func countCalls(_ command: [String], reset: () throws -> Void) async throws -> Int {
        func isKilled(at number: Int) async throws -> Bool {
            try reset()
            return try await with(["AT": String(number)]).start(arguments: command).result().isKilled
        }
        var (killed, unharmed) = (0, 64)
        while try await isKilled(at: unharmed) { (killed, unharmed) = (unharmed, unharmed * 2) }
        while unharmed - killed > 1 {
            let middle = (killed + unharmed) / 2
            if try await isKilled(at: middle) { killed = middle } else { unharmed = middle }
        }
        return killed
    }
}

extension Run.Result {
    /// True if SIGKILL ended the program.
    package var isKilled: Bool { status == 128 + SIGKILL }
}
