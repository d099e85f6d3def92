import Archive
import ChatModel
import Foundation
import NIOCore
import NIOPosix
import Reading
import StreamChatWire
import TestSupport

/// `scrollback listen` as a process, in a room that the benchmark serves and fills.
struct ListenerProcess: Sendable {
    struct Memory: Sendable {
        /// The resident memory in KiB: in the room before the first message, after everything was stored, and its peak.
        var before: Int
        var after: Int
        var highest: Int
    }

    private let scenario: RoomScenario
    /// The number of times that all clients join, send and leave. The messages are stored in between.
    private let waves: Int

    init(_ scenario: RoomScenario, waves: Int) {
        self.scenario = scenario
        self.waves = waves
    }

    func memoryUnderLoad() async throws -> Memory {
        let folder = try TemporaryFolder()
        return try await withRoomServer(scenario.framing) { port in
            let threads = MultiThreadedEventLoopGroup(numberOfThreads: 1)
            var crowd = try await RoomLoadCrowd(scenario, port: port, group: threads)
            let process = try start(in: folder.path, port: port)
            defer { process.end() }
            let start = await crowd.hearJoining(of: RoomLoadRun.nick)
            let memory = try await measure(process, &crowd, Archive(folder: folder.path + "/data"), since: start)
            process.end()
            let (status, _) = process.wait()
            crowd.close()
            try await threads.shutdownGracefully()
            guard status == 0 else { throw BenchmarkError("scrollback listen ended with \(status)") }
            return memory
        }
    }

    private func measure(
        _ process: ChildProcess, _ crowd: inout RoomLoadCrowd, _ archive: Archive, since start: Int
    ) async throws -> Memory {
        let before = try process.memory("VmRSS")
        for _ in 0..<waves {
            try await crowd.joinSpeakers()
            try await crowd.speak()
            try await crowd.leave()
            try await waitUntilStored(RoomLoadLine.all(in: crowd.transcript(after: start)), archive)
        }
        return Memory(before: before, after: try process.memory("VmRSS"), highest: try process.memory("VmHWM"))
    }

    /// Waits until the last row ends with the last line, glued or not.
    private func waitUntilStored(_ lines: [RoomLoadLine], _ archive: Archive) async throws {
        guard case .notice(let last)? = lines.last?.content else { return }
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            let query = try MessageQuery(scope: .accounts(["classroom"]), anchor: .latest, limit: 1)
            if let row = try archive.reading().page(query).messages.last,
                String(decoding: RoomLoadRows.bytes(of: row), as: UTF8.self).hasSuffix(last)
            {
                return
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw BenchmarkError("the listener (\(scenario.name)) did not store all within 60 s")
    }

    private func start(in folder: String, port: Int) throws -> ChildProcess {
        let configuration = """
            data = "\(folder)/data"

            [[account]]
            name = "classroom"
            network = "streamchat"
            server = "tcp://127.0.0.1:\(port)"
            nick = "\(RoomLoadRun.nick)"
            room = "lobby"
            framing = "\(scenario.framing.rawValue)"
            """
        let path = folder + "/scrollback.toml"
        try configuration.write(toFile: path, atomically: true, encoding: .utf8)
        return try ChildProcess(Program().path, ["listen", "--config", path], capturesOutput: false)
    }
}
