import Foundation

/// The `CRASH_POINT_…` variables of `Tests/CrashPoint`, by the last part of their names.
package typealias CrashPoint = [String: String]

extension Program {
    /// Returns the same program, which meets a fault at a system call or has a planted one.
    package func with(_ point: CrashPoint) -> Program {
        var program = self
        program.environment["LD_PRELOAD"] = Self.builds + "/libCrashPoint.so"
        program.environment["CRASH_POINT_FOLDER"] = environment["CRASH_POINT_FOLDER"] ?? data
        for (name, value) in point { program.environment["CRASH_POINT_\(name)"] = value }
        return program
    }

    /// Not in the folder of temporary files, whose contents tests look at.
    private var callLog: String { home + "/system-calls" }

    /// Runs a command with a fault. Returns its result and its calls.
    package func meet(_ point: CrashPoint, _ command: [String]) async throws -> (Run.Result, [LoggedCall]) {
        try? FileManager.default.removeItem(atPath: callLog)
        let run = try with(point.merging(["LOG": callLog]) { $1 }).start(arguments: command)
        let result = try await run.result()
        let log = String(decoding: FileManager.default.contents(atPath: callLog) ?? Data(), as: UTF8.self)
        return (result, log.split(separator: "\n").compactMap(LoggedCall.init(line:)))
    }

    /// Returns the number of the command's calls; throws if none was logged.
    ///
    /// - Parameter reset: Restores the state from before the command.
    package func countCalls(_ command: [String], reset: () throws -> Void) async throws -> Int {
        try reset()
        let calls = try await meet([:], command).1.count
        guard calls > 0 else { throw WaitedInVain(description: "no system call of \(command) is logged") }
        return calls
    }
}

extension Run.Result {
    /// True if SIGKILL ended the program.
    package var isKilled: Bool { status == 128 + SIGKILL }
}
