import ChatModel
import ScriptedSessions
import Sessions
import StreamChat
import StreamChatWire
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct StreamChatListenerTests {
    @Test func `a server whose program never reads is not connected, and has no coverage`() async {
        let harness = ListenerHarness()
        await harness.run {
            let connection = harness.connector.accept()
            await connection.sends("USR_NAME::archiver::END")
            await harness.reported { $0.lastError == StreamChatListener.unanswered }
            for tick in stride(from: 10, through: 90, by: 10) {
                await harness.clock.advance(toSleeperAt: .seconds(tick))
            }
        }
        #expect(harness.reports.value.allSatisfy { $0.state != .connected && $0.lastSignOfLife == nil })
        #expect(harness.sink.shape == ["opened", "room lobby", "ended stopped"])
        #expect(harness.ends().map(\.at) == [harness.time(0)])
    }

    @Test func `the account is connected and a room live with the first received message`() async {
        let harness = ListenerHarness()
        await harness.run({ $0.framing = .lf }) {
            let connection = await harness.joined()
            connection.deliver("archiver has joined\n", at: harness.time(1))
            await harness.sink.wait { if case .roomLive(_, _, harness.time(1)) = $0 { true } else { false } }
            await harness.reported { $0.state == .connected && $0.lastError == nil }
        }
        #expect(harness.sink.shape.starts(with: ["opened", "room lobby", "chunk", "live", "join"]))
    }

    @Test func `a read is journalled first, then parsed and marked as parsed`() async {
        let harness = ListenerHarness()
        await harness.run {
            let connection = await harness.joined()
            connection.deliver("alice::hi", at: harness.time(0.5))
            await harness.clock.advance(toSleeperAt: .milliseconds(30))
            await harness.sink.wait { $0 == .parsed(session: SessionID(rawValue: 1), upTo: 9) }
        }
        #expect(
            harness.sink.shape.filter { $0 != "alive" } == [
                "opened", "room lobby", "chunk", "live", "message", "parsed 9", "ended stopped",
            ])
        #expect(
            harness.sink.events.contains(
                .message(
                    IncomingMessage(
                        session: SessionID(rawValue: 1), room: RoomReference(key: "", name: "lobby", kind: .server),
                        kind: .message, sender: UserReference(key: "alice", name: "alice"), body: "hi", remoteID: "1:0",
                        receivedAt: harness.time(0.5)))))
    }

    @Test func `a message that arrives in several reads has the time of its first byte`() async {
        let harness = ListenerHarness()
        await harness.run {
            let connection = await harness.joined()
            let bytes = Array("alice::안녕".utf8)
            connection.deliver(Array(bytes[..<8]), at: harness.time(1))
            connection.deliver(Array(bytes[8..<11]), at: harness.time(1.02))
            connection.deliver(Array(bytes[11...]), at: harness.time(1.5))
            connection.deliver("bob has joined", at: harness.time(2))
            await harness.sink.wait { if case .message = $0 { true } else { false } }
        }
        #expect(harness.sink.messageTexts == ["alice: 안녕", "+bob"])
        let times = harness.sink.events.compactMap { event in
            if case .message(let message, _) = event { message.receivedAt } else { nil }
        }
        #expect(times == [harness.time(1), harness.time(2)])
    }

    @Test func `messages of everyone are stored, including our own and the server's`() async {
        let harness = ListenerHarness()
        await harness.run({ $0.framing = .lf }) {
            let connection = await harness.joined()
            connection.deliver(
                "archiver has joined\nbob has joined\narchiver::hello\nbob has left\nwelcome\n::hi\n",
                at: harness.time(1))
            await harness.sink.wait { if case .parsed = $0 { true } else { false } }
        }
        #expect(harness.sink.messageTexts == ["+archiver", "+bob", "archiver: hello", "-bob", "*: welcome", ": hi"])
        let own = harness.sink.events.compactMap { event in
            if case .message(let message, _) = event { message.sender?.isSelf } else { nil }
        }
        #expect(own == [true, false, true, false, false])
    }

    @Test func `bytes that are not text are kept and flagged`() async {
        let harness = ListenerHarness()
        await harness.run({
            $0.framing = .nul; $0.unitCap = 8
        }) {
            let connection = await harness.joined()
            connection.deliver(
                Array("a::".utf8) + [0xFF, 0x00] + Array("b::1234567890".utf8) + [0x00], at: harness.time(1))
            await harness.sink.wait { if case .parsed = $0 { true } else { false } }
        }
        let flags = harness.sink.events.compactMap { event in
            if case .message(let message, _) = event { message.flags } else { nil }
        }
        #expect(flags == [.invalidUTF8, .oversize, []])
        #expect(harness.sink.messageTexts == ["a: \u{FFFD}", "b: 12345", "*: 67890"])
    }

    @Test func `names from the store separate messages`() async {
        let harness = ListenerHarness(state: MemoryState(names: ["bob"]))
        await harness.run {
            let connection = await harness.joined()
            connection.deliver("alice::hi", at: harness.time(1))
            connection.deliver("bob::yo", at: harness.time(1.001))
            connection.deliver(" more", at: harness.time(1.002))
            await harness.sink.wait { if case .parsed = $0 { true } else { false } }
        }
        #expect(harness.sink.messageTexts == ["alice: hi", "bob: yo more"])
    }

    @Test func `the revision of April 2021 joins without an END and sends no LEAVE`() async {
        let harness = ListenerHarness()
        let connection = harness.connector.accept()
        await harness.run({ $0.revision = .april2021 }) {
            await connection.sends("USR_NAME::archiver")
        }
        #expect(connection.state.value.sent == ["USR_NAME::archiver"])
        #expect(harness.ends().map(\.reason) == [.stopped])
    }

    @Test func `an outgoing message is sent, or refused if the protocol does not allow it`() async {
        let harness = ListenerHarness()
        await harness.run {
            harness.send(.send("too early"))
            await harness.reported { $0.lastError == "not sent: not connected" }
            let connection = await harness.joined()
            harness.send(.send("a MSG::b"))
            await harness.reported { $0.lastError?.contains("MSG::") == true }
            harness.send(.send("hello"))
            await connection.sends("MSG::hello::END")
            #expect(connection.state.value.sent == ["USR_NAME::archiver::END", "MSG::hello::END"])
            await harness.reports.wait { $0.last?.lastError == nil }
        }
    }
}
