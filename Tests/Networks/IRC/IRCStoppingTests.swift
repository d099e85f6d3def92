import ChatModel
import TestSupport
import Testing

@testable import IRC
@testable import Sessions

struct IRCStoppingTests {
    @Test func `an archive claims nothing of what a stop left unstored, and the session is closed`() async throws {
        let isShut = Signal()
        let (server, all) = (try RawServer(), try IRCArchiving { Gate(sink: $0, isShut: isShut) })
        let before = try await all.listening(port: server.port) {
            $0.storeTimeout = .milliseconds(1)
        } _: {
            let socket = try await server.registered()
            try socket.line(":alice!a@h PRIVMSG #example :stored")
            try await all.holds("#example alice: stored")
            isShut.set()
            try await Task.sleep(for: .milliseconds(1))
            let before = Timestamp.now()
            try socket.line(":alice!a@h PRIVMSG #example :lost\r\n:irc.example PING :the end")
            // All is read that was sent.
            try await socket.waitFor("PONG :the end\r\n")
            return before
        }
        #expect(try await all.said() == ["#example join archiver", "#example alice: stored"])
        let gaps = try await all.gaps(in: "#example")
        #expect(gaps.map(\.reason) == ["store"])
        #expect(gaps.allSatisfy { $0.from <= before })
        #expect(all.reports.value.last.map { $0.unstored > 0 } == true)
    }
}

/// Passes nothing on once it is shut, and refuses what waits at it when that is given up; a session's end is let through.
private struct Gate: EventSink {
    let sink: any EventSink
    let isShut: Signal

    struct Refused: Error {}

    func append(_ batch: [ChatEvent]) async throws -> [EventOutcome] {
        let isEnd = batch.count == 1 && batch.contains { if case .sessionEnded = $0 { true } else { false } }
        guard isShut.isSet, !isEnd else { return try await sink.append(batch) }
        try await Task.sleep(for: .seconds(3600))
        throw Refused()
    }
}
