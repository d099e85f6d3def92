import ChatModel
import Sessions
import TestSupport
import Testing
import XMPPWire

@testable import XMPP

/// A gap ends only where a page of the archive holds a message that was stored before the gap.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct XMPPHistoryTests {
    let archiving: XMPPArchiving

    init() throws { archiving = try XMPPArchiving() }

    /// Archives "before" live, and says further texts while nobody listens.
    private func miss(_ texts: [String], at server: FakeXMPPServer) async throws {
        try await archiving.listening(to: server) {
            await server.joined()
            server.say("before")
            try await archiving.wait(for: "before")
        }
        for text in texts { server.say(text) }
    }

    private func texts(_ count: Int) -> [String] { (1...count).map { "missed \($0)" } }

    /// Listens again until the last missed message and a live one are stored.
    private func catchUp(_ server: FakeXMPPServer, until text: String = "missed 1", joins: Int = 2) async throws {
        try await archiving.listening(to: server) {
            await server.joined(joins)
            server.say("live")
            try await archiving.wait(for: text)
            try await archiving.wait(for: "live")
            try await archiving.wait(gaps: 0)
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [true, false])
    func `what was missed is fetched, nothing twice, in order`(isProsody: Bool) async throws {
        let server = FakeXMPPServer { state in
            (state.room.hasWholeSeconds, state.room.page, state.room.takesIDsForTimes) = (isProsody, 20, !isProsody)
        }
        try await miss(texts(130), at: server)
        try await catchUp(server)
        let found = try archiving.texts()
        #expect(found.filter { $0.hasPrefix("missed") } == texts(130) && found.count == 132)
        // Whole seconds don't show on which side of a live message one was.
        if !isProsody { #expect(found.first == "before" && found.last == "live") }
        #expect(server.state.value.asked.count <= 20)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `the first contact fetches the room's history`() async throws {
        let server = FakeXMPPServer()
        for text in texts(70) { server.say(text) }
        try await archiving.listening(to: server) {
            try await archiving.wait(for: "missed 1")
        }
        #expect(try archiving.texts() == texts(70))
        #expect(try archiving.gaps().isEmpty)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `an archive that lost its beginning leaves a gap, though it says that it is complete`() async throws {
        let server = FakeXMPPServer { $0.room.takesIDsForTimes = true }
        try await miss(texts(60), at: server)
        server.state.change { $0.room.messages.removeFirst(40) }
        try await archiving.listening(to: server) {
            await server.joined(2)
            try await archiving.wait(for: "missed 40")
            try await archiving.wait(gapReason: "limit")
        }
        #expect(try archiving.texts() == ["before"] + texts(60).dropFirst(39))
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `an interrupted walk leaves its gap open, and goes on from its oldest message`() async throws {
        let server = FakeXMPPServer { ($0.room.page, $0.resumes) = (20, false) }
        try await miss(texts(100), at: server)
        server.state.change { ($0.asked, $0.cutAfterPages) = ([], 2) }
        try await archiving.listening(to: server) {
            try await archiving.wait(for: "missed 1")
            try await archiving.wait(gaps: 0)
        }
        #expect(try archiving.texts() == ["before"] + texts(100))
        let asked = server.state.value.asked
        // The connection broke at the third page. The next one begins where the second page ended.
        #expect(asked[..<2].first == "" && asked[2] == asked[3] && asked[3] != "", "\(asked)")
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `after a walk that was stopped at its first page, the gap is open`() async throws {
        let server = FakeXMPPServer { ($0.room.page, $0.resumes) = (20, false) }
        try await miss(texts(60), at: server)
        server.state.change { ($0.asked, $0.cutAfterPages, $0.staysDown) = ([], 1, true) }
        try await archiving.listening(to: server) { try await archiving.wait(for: "missed 60") }
        // What was fetched is newer than the gap, and proves nothing of it.
        server.state.change { state in
            (state.cutAfterPages, state.isDown) = (nil, false)
            state.room.messages.removeAll { Int($0.id).map { $0 < 1030 } ?? true }
        }
        try await archiving.listening(to: server) {
            try await archiving.wait(gapReason: "limit")
        }
        #expect(!(try archiving.texts().contains("missed 1")))
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a stop ends a walk at once, also while the server does not answer the goodbye`() async throws {
        let server = FakeXMPPServer { ($0.room.page, $0.ignoresGoodbye) = (1, true) }
        for text in texts(500) { server.say(text) }
        try await archiving.listening(to: server, { $0.leaveTimeout = .milliseconds(300) }) {
            await server.state.wait { $0.asked.count >= 3 }
        }
        let state = server.state.value
        #expect(state.asked.count <= state.askedBeforeGoodbye + 1)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `an archive that loses messages in mid-walk is read again from its end`() async throws {
        let server = FakeXMPPServer { $0.room.page = 20 }
        try await miss(texts(60), at: server)
        server.state.change { ($0.asked, $0.trimAfterPages) = ([], 1) }
        try await archiving.listening(to: server) {
            try await archiving.wait(gapReason: "limit")
        }
        #expect(try archiving.texts() == ["before"] + texts(60).dropFirst(40))
        #expect(server.state.value.asked.filter(\.isEmpty).count >= 2)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a room without an archive is asked for nothing, and its gap says why`() async throws {
        let server = FakeXMPPServer { $0.room.hasArchive = false }
        try await miss(texts(3), at: server)
        try await archiving.listening(to: server) {
            await server.joined(2)
            try await archiving.wait(gapReason: "unsupported")
        }
        #expect(server.state.value.asked.isEmpty)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a message that the archive lost, and that was stored, hides no gap`() async throws {
        // ejabberd with Mnesia loses the last second when it is killed.
        let server = FakeXMPPServer()
        try await archiving.listening(to: server) {
            await server.joined()
            server.say("kept")
            server.say("lost", isArchived: false)
            try await archiving.wait(for: "lost")
        }
        for text in texts(3) { server.say(text) }
        try await catchUp(server)
        #expect(try archiving.texts() == ["kept", "lost"] + texts(3) + ["live"])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a correction at the end of a page finds its message in the page before`() async throws {
        let server = FakeXMPPServer { $0.room.page = 2 }
        try await miss([], at: server)
        server.say("helo", id: "first")
        server.say("between")
        server.say("hello", extra: "<replace xmlns='urn:xmpp:message-correct:0' id='first'/>")
        try await catchUp(server, until: "hello")
        #expect(try archiving.texts() == ["before", "hello", "between", "live"])
    }

    /// Listens until the walk for what is missing is over, and then to one more message.
    private func reconnect(_ server: FakeXMPPServer, saying text: String? = nil) async throws {
        let (joins, asked, reports) = (
            server.state.value.joins, server.state.value.asked.count, archiving.reports.value.count
        )
        try await archiving.listening(to: server) {
            await server.joined(joins + 1)
            await server.state.wait { $0.asked.count > asked }
            await archiving.reports.wait { all in
                let new = all.dropFirst(reports)
                guard let walk = new.firstIndex(where: { $0.backfill != nil }) else { return false }
                return new[walk...].contains { $0.backfill == nil }
            }
            guard let text else { return }
            server.say(text)
            try await archiving.wait(for: text)
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a quiet room whose archive expired has one gap, however often the connection breaks`() async throws {
        let server = FakeXMPPServer()
        try await miss([], at: server)
        server.state.change { $0.room.messages = [] }
        for _ in 1...3 { try await reconnect(server) }
        let gaps = try archiving.gaps()
        #expect(gaps.count == 1 && gaps.first?.missing?.unfilled == "limit", "\(gaps)")
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a room in which nobody ever spoke has no gap`() async throws {
        let server = FakeXMPPServer()
        for _ in 1...3 { try await reconnect(server) }
        #expect(try archiving.gaps().isEmpty)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `what was archived after the empty archive must be there to prove the next gap`() async throws {
        let server = FakeXMPPServer()
        try await miss([], at: server)
        server.state.change { $0.room.messages = [] }
        try await reconnect(server)
        try await reconnect(server, saying: "again")
        server.state.change { $0.room.messages = [] }
        try await reconnect(server)
        #expect(try archiving.gaps().count == 2)
    }
}
