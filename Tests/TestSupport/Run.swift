import Foundation
import Synchronization

/// A running or finished program, with its output and its status.
package final class Run: Sendable {
    package struct Result: Sendable {
        /// The status as a shell reports it: 128 plus the signal for a program that a signal ended.
        package var status: Int32
        package var output: String
        package var errors: String
    }

    private let process: Process
    private let files: String
    /// The program's folder, which exists as long as the program may write into it.
    private let folder: TemporaryFolder
    private let status = Watched<Int32?>(nil)

    /// Starts a command. Its output goes to files, so that it never waits for the test to read.
    init(
        _ command: [String], environment: [String: String], workingFolder: String, folder: TemporaryFolder
    ) throws {
        guard !QuickCheck.isRunning else {
            throw WaitedInVain(description: "make check starts no program: say .enabled(if:) with what the test needs")
        }
        self.folder = folder
        files = folder.path + "/runs/" + UUID().uuidString
        process = Process()
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.environment = environment
        process.currentDirectoryURL = URL(fileURLWithPath: workingFolder)
        process.standardInput = FileHandle.nullDevice
        let outputs = try [Self.file(files + ".out"), Self.file(files + ".err")]
        // Closes the test's copies, which Foundation (Swift 6.3) would keep open.
        defer { for file in outputs { try? file.close() } }
        (process.standardOutput, process.standardError) = (outputs[0], outputs[1])
        process.terminationHandler = { [status] process in
            let signal: Int32 = process.terminationReason == .uncaughtSignal ? 128 : 0
            status.change { $0 = signal + process.terminationStatus }
        }
        try Self.starting.withLock { _ in try process.run() }
    }

    /// A lock that allows one start at a time. A program that starts while another one's descriptors are created
    /// inherits them, and Foundation (Swift 6.3) notices the end of the other only after the end of both.
    private static let starting = Mutex(())

    deinit {
        // A program that could not be started has the number 0, and signalling 0 would end this process's whole group.
        if status.value == nil, id > 0 { Foundation.kill(-id, SIGKILL) }
    }

    /// Ends the program and all that it started, such as the parts of a shell's pipeline. Foundation (Swift 6.3)
    /// notices the end of a program only when all that inherited its descriptors have ended, and gives each its own
    /// group. Until then the program stays behind as a zombie, and no exit test ends: Swift Testing (6.3) waits for any
    /// child.
    package func endAll() async throws {
        Foundation.kill(-id, SIGKILL)
        _ = try await result()
    }

    package var id: Int32 { process.processIdentifier }
    package var output: String { Self.text(files + ".out") }
    package var errors: String { Self.text(files + ".err") }
    package var isRunning: Bool { status.value == nil }

    package func signal(_ number: Int32) {
        Foundation.kill(id, number)
    }

    /// Stops the program until SIGCONT. Returns when all of its threads have stopped, or it has ended.
    package func halt() async throws {
        signal(SIGSTOP)
        try await eventually("it stands still") { () -> Bool? in
            let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/task")) ?? []
            return threads.allSatisfy { thread in
                guard let stat = FileManager.default.contents(atPath: "/proc/\(id)/task/\(thread)/stat") else {
                    return true
                }
                // The state, such as stopped or ended, follows the program's name, which ends with the last parenthesis
                // (proc(5)).
                let state = String(decoding: stat, as: UTF8.self).split(separator: ")").last?.dropFirst().first
                return state.map { "TZX".contains($0) } ?? true
            } ? true : nil
        }
    }

    /// Waits for the program's end.
    package func result(within timeout: Duration = .patience) async throws -> Result {
        let status: Int32 = try await eventually(
            "the end of the program", within: timeout, state: { "stderr: " + errors }
        ) { self.status.value }
        return Result(status: status, output: output, errors: errors)
    }

    /// Waits for the program's end, and returns its peak resident memory (VmHWM) in KiB, as measured some milliseconds
    /// before the end.
    package func peakMemory(within timeout: Duration = .seconds(300)) async throws -> Int {
        var peak = 0
        try await eventually("the end of the program", within: timeout, state: { "stderr: " + errors }) {
            // A process that just starts still has the memory of this one.
            let links = ["\(id)", "self"].map {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\($0)/exe")
            }
            guard links[0] != links[1] else { return isRunning ? nil : true }
            let status = Self.text("/proc/\(id)/status").split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            peak = max(peak, status.flatMap { Int($0.filter(\.isNumber)) } ?? 0)
            return isRunning ? nil : true
        }
        return peak
    }

    /// Waits for words on stderr, for instance in a log.
    package func says(_ words: String) async throws {
        try await eventually("\"\(words)\" on stderr", state: { errors }) { () -> Bool? in
            if errors.contains(words) { return true }
            guard isRunning else { throw WaitedInVain(description: "it ended without \"\(words)\": \(errors)") }
            return nil
        }
    }

    package func stop(_ number: Int32 = SIGTERM) async throws -> Result {
        signal(number)
        return try await result()
    }

    private static func file(_ path: String) throws -> FileHandle {
        try Data().write(to: URL(fileURLWithPath: path))
        return try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    }

    private static func text(_ path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }
}
