import NIOCore
import StreamChatWire
import TestSupport

/// Everyone in the room but the listener: the speakers, and a witness who notes what the server says.
struct RoomLoadCrowd {
    private let scenario: RoomScenario
    private let port: Int
    private let group: any EventLoopGroup
    private let witness: RoomLoadClient
    private let heard = Watched<[UInt8]>([])
    /// Bytes that the witness is to hear by now.
    private var expected = 0
    private var speakers: [RoomLoadClient] = []

    /// The witness alone joins; it hears of the listener, and from then on what the listener hears.
    init(_ scenario: RoomScenario, port: Int, group: any EventLoopGroup) async throws {
        (self.scenario, self.port, self.group) = (scenario, port, group)
        witness = try await RoomLoadClient(port: port, group: group, heard: heard)
        try await witness.send([.join(name: "witness"), .message(text: "here.")])
        await hear(.message(name: "witness", text: "here."))
    }

    /// Returns when the server has told of someone's joining.
    ///
    /// - Returns: How many bytes the witness has heard up to then.
    @discardableResult
    mutating func hearJoining(of name: String) async -> Int {
        await hear(.joined(name: name))
        return expected
    }

    /// One speaker after the other, each when the one before is in.
    mutating func joinSpeakers() async throws {
        for name in scenario.names {
            let speaker = try await RoomLoadClient(port: port, group: group)
            try await speaker.send(.join(name: name))
            await hearJoining(of: name)
            speakers.append(speaker)
            try await pause()
        }
    }

    /// Returns when the server has said everything to the witness.
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

    /// What the witness has heard after that many bytes.
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
