import NIOCore
import StreamChatWire
import TestSupport

/// The clients in the room other than the listener: the speakers, and a witness that keeps the server's output.
struct RoomLoadCrowd {
    private let scenario: RoomScenario
    private let port: Int
    private let group: any EventLoopGroup
    private let witness: RoomLoadClient
    private let heard = Watched<[UInt8]>([])
    /// The number of bytes that the witness should have received by now.
    private var expected = 0
    private var speakers: [RoomLoadClient] = []

    /// Joins with the witness alone, which sees the listener's join, and from then on receives the same as the
    /// listener.
    init(_ scenario: RoomScenario, port: Int, group: any EventLoopGroup) async throws {
        (self.scenario, self.port, self.group) = (scenario, port, group)
        witness = try await RoomLoadClient(port: port, group: group, heard: heard)
        try await witness.send([.join(name: "witness"), .message(text: "here.")])
        await hear(.message(name: "witness", text: "here."))
    }

    /// Returns when the server has announced a join.
    ///
    /// - Returns: The number of bytes that the witness has received up to then.
    @discardableResult
    mutating func hearJoining(of name: String) async -> Int {
        await hear(.joined(name: name))
        return expected
    }

    /// Joins with one speaker after the other, each after the join of the one before.
    mutating func joinSpeakers() async throws {
        for name in scenario.names {
            let speaker = try await RoomLoadClient(port: port, group: group)
            try await speaker.send(.join(name: name))
            await hearJoining(of: name)
            speakers.append(speaker)
            try await pause()
        }
    }

    /// Sends all messages, and returns when the witness has received everything.
    mutating func speak() async throws {
        if let apart = scenario.apart { try await speakInTurn(apart) } else { try await speakAtOnce() }
        await hear(scenario.lines)
    }

    mutating func leave() async throws {
        for speaker in speakers {
            try await speaker.send(.leave)
            try await pause()
        }
        await hear(scenario.names.map { .left(name: $0) })
        for speaker in speakers { speaker.close() }
        speakers = []
    }

    func close() {
        for client in speakers + [witness] { client.close() }
    }

    /// Returns the bytes that the witness has received after the first `count` ones.
    func transcript(after count: Int) -> [UInt8] {
        Array(heard.value.dropFirst(count))
    }

    private func speakAtOnce() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for speaker in speakers {
                let frames = (0..<scenario.messagesEach).map { ClientFrame.message(text: RoomScenario.text($0)) }
                group.addTask { try await speaker.send(frames) }
            }
        }
    }

    private func speakInTurn(_ apart: Duration) async throws {
        for index in 0..<scenario.messages {
            let text = RoomScenario.text(index / speakers.count)
            try await speakers[index % speakers.count].send(.message(text: text))
            try await Task.sleep(for: apart)
        }
    }

    private func pause() async throws {
        if let apart = scenario.apart { try await Task.sleep(for: apart) }
    }

    private mutating func hear(_ lines: ServerLine...) async { await hear(lines) }

    private mutating func hear(_ lines: [ServerLine]) async {
        expected += lines.reduce(0) { $0 + $1.encoded(.august2021, scenario.framing).count }
        await heard.wait { [expected] in $0.count >= expected }
    }
}
