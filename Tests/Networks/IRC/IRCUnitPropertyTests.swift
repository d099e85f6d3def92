import Archive
import ChatModel
import Checks
import IRCWire
import Reading
import ScriptedSessions
import TestSupport
import Testing
import Writing

@testable import IRC
@testable import Sessions

/// Joins, ends of pages, messages and disconnects within one unit of the network's time, which is a millisecond: whatever is
/// missing lies in a gap, and a connection that lasts fetches it.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))), .disabled(if: QuickCheck.isRunning))
struct IRCUnitPropertyTests {
    private static let room = "#example"

    /// What a server had, in the order in which it was said, and our connections to it.
    private struct World {
        let writer: AccountWriter
        let hasIDs: Bool
        var random: SeededGenerator
        /// By the server's clock, in microseconds.
        var clock: Int64 = 1_795_219_200_123_000
        private(set) var stamps: [Int64] = []
        private var session: IRCSession?
        private var isJoined = false
        private var receipts = ReceiptClock(last: nil)

        /// Our clock is behind.
        static let lead: Int64 = 5_000_000
        static let pageSize = 2

        init(writer: AccountWriter, hasIDs: Bool, seed: UInt64) {
            (self.writer, self.hasIDs, random) = (writer, hasIDs, SeededGenerator(seed: seed))
        }

        private var receipt: Timestamp { Timestamp(microseconds: clock - Self.lead) }

        private var elapsed: Duration { .microseconds(clock - 1_795_219_200_000_000) }

        private func tag(_ milliseconds: Int64, id: Int? = nil) -> String {
            let time = "time=" + String(decoding: ServerTime.text(milliseconds: milliseconds), as: UTF8.self)
            return "@" + time + (id.map { hasIDs ? ";msgid=m\($0)" : "" } ?? "")
        }

        private func line(_ number: Int, batch: Bool = false) -> String {
            tag(stamps[number], id: number) + (batch ? ";batch=h" : "")
                + " :alice!a@h PRIVMSG \(IRCUnitPropertyTests.room) :\(number)"
        }

        /// Some of what is left of the millisecond passes, and sometimes more.
        mutating func passes() {
            clock += [0, 0, 50, 200, 900].randomElement(using: &random) ?? 0
        }

        mutating func say() async throws {
            stamps.append(clock / 1000)
            if isJoined { try await receive([line(stamps.count - 1)]) }
        }

        mutating func connects() async throws {
            var login = IRCLogin(Registration(.init(nick: "me", user: "me", realName: "me")))
            _ = login.start()
            let now = tag(clock / 1000)
            let caps = "batch draft/chathistory message-tags server-time"
            let lines = [
                ":s CAP * LS :\(caps)", ":s CAP * ACK :\(caps)", "\(now) :s 001 me :Welcome",
                "\(now) :s 005 me CHANTYPES=# CHATHISTORY=\(Self.pageSize) MSGREFTYPES=\(hasIDs ? "msgid,timestamp" : "timestamp") :ok",
                "\(now) :s 376 me :End",
            ]
            _ = login.received(Array((lines.joined(separator: "\r\n") + "\r\n").utf8))
            let openedAt = receipts.stamp(ClockReading(receipt))
            guard case .new(let id)? = try await writer.append([.sessionOpened(at: openedAt)]).first else { return }
            var session = IRCSession(
                id: SessionID(rawValue: id), openedAt: openedAt, elapsed: elapsed, receipts: receipts, login: login,
                stored: IRCStoredState(partners: [:]),
                configuration: IRCConfiguration(host: "s", port: 1, nick: "me", rooms: [IRCUnitPropertyTests.room]),
                random: SeededGenerator(seed: 1))
            let step = session.opened()
            self.session = session
            try await take(step)
        }

        mutating func receive(_ lines: [String]) async throws {
            guard var session else { return }
            let bytes = Array(lines.map { $0 + "\r\n" }.joined().utf8)
            let step = session.received(
                Received(bytes: bytes, at: ClockReading(receipt), filledBuffer: false), elapsed: elapsed)
            self.session = session
            try await take(step)
        }

        private mutating func take(_ step: IRCStep) async throws {
            if !step.events.isEmpty { _ = try await writer.append(step.events) }
            for lookup in step.lookups {
                let answer: IRCLookup.Answer
                switch lookup {
                case .room(let room, let retriesLost):
                    let start = try await writer.historyStart(room: room, retriesLost: retriesLost)
                    answer = .room(IRCLookup.KnownRoom(room: room, start: start))
                case .directRooms: answer = .directRooms([], complete: nil)
                case .lastMessages(let room, _): answer = .lastMessages(room, [])
                }
                guard var session else { return }
                let step = session.receiveAnswer(answer, clock: ClockReading(receipt), elapsed: elapsed)
                self.session = session
                try await take(step)
            }
        }

        /// Answers what the session asks next, if it asks anything.
        mutating func answers() async throws -> Bool {
            guard var session, let request = session.nextQuestion(at: elapsed) else { return false }
            self.session = session
            let text = request.params.map { String(decoding: $0, as: UTF8.self) }
            if request.verb == "JOIN" {
                isJoined = true
                try await receive([
                    "\(tag(clock / 1000)) :me!a@h JOIN \(IRCUnitPropertyTests.room)", ":s 366 me \(text[0]) :End",
                ])
            } else if text.first == "TARGETS" {
                try await receive([":s BATCH +t draft/chathistory-targets", ":s BATCH -t"])
            } else {
                let page = page(text).map { line($0, batch: true) }
                try await receive([":s BATCH +h chathistory \(text[1])"] + page + [":s BATCH -h"])
            }
            return true
        }

        private func page(_ text: [String]) -> [Int] {
            let (verb, reference, count) = (text[0], text[2], min(Int(text[3]) ?? 0, Self.pageSize))
            let numbers = Array(stamps.indices)
            if reference == "*" { return numbers.suffix(count) }
            if let id = Int(reference.dropFirst("msgid=m".count)), reference.hasPrefix("msgid=") {
                return verb == "AFTER"
                    ? Array(numbers.dropFirst(id + 1).prefix(count)) : numbers.prefix(id).suffix(count)
            }
            let time = ServerTime.milliseconds(Array(reference.dropFirst("timestamp=".count).utf8)) ?? 0
            return verb == "AFTER"
                ? Array(numbers.filter { stamps[$0] > time }.prefix(count))
                : numbers.filter { stamps[$0] < time }.suffix(count)
        }

        mutating func disconnects() async throws {
            guard var session else { return }
            isJoined = false
            let events = session.ended(SessionEnd(reason: .closed))
            receipts = session.receipts
            self.session = nil
            _ = try await writer.append(events)
        }
    }

    /// Whatever of it is not stored lies in a gap; how many are missing, and the gaps that have an end.
    private func verify(_ world: World, _ archive: Archive, _ seed: UInt64) async throws -> (missing: Int, gaps: [Gap])
    {
        let page = try archive.reading().page(
            MessageQuery(scope: .accounts(["chat"]), anchor: .latest, limit: 1000))
        let stored = Set(page.messages.filter { $0.kind == .message }.compactMap { $0.body.flatMap { Int($0) } })
        let gaps = try archive.reading().gaps(scope: .accounts(["chat"])).filter { $0.room == Self.room }
        var missing = 0
        let reference = RoomReference(key: Self.room, name: Self.room, kind: .channel)
        let start = try await world.writer.historyStart(room: reference, retriesLost: true)?.archivedSince
        for (number, stamp) in world.stamps.enumerated() where !stored.contains(number) {
            missing += 1
            let isTold = gaps.contains { gap in
                gap.from.microseconds < stamp * 1000 && gap.to.map { $0.microseconds > stamp * 1000 } ?? true
            }
            // Of what came before its first span, nothing is claimed.
            let isBefore = start.map { $0.microseconds > stamp * 1000 } ?? true
            #expect(isTold || isBefore, "seed \(seed): \(number) at \(stamp) of \(gaps)")
        }
        return (missing, gaps.filter { $0.to != nil })
    }

    @Test(arguments: [true, false])
    func `messages in the unit of a join, a page's end or a disconnect are stored or in a gap`(hasIDs: Bool)
        async throws
    {
        for seed in 0..<UInt64(12) {
            let folder = try TemporaryFolder()
            let archive = Archive(folder: folder.path + "/data")
            let writer = try await archive.openWriter(AccountIdentity(name: "chat", network: "irc"))
            var world = World(writer: writer, hasIDs: hasIDs, seed: seed)
            // What the room has to begin with, so that its first page is not its last.
            for _ in 0..<2 { try await world.say() }
            for _ in 0..<4 {
                world.clock += 3000
                for _ in 0..<Int.random(in: 0...4, using: &world.random) { try await world.say() }
                try await world.connects()
                for _ in 0..<Int.random(in: 1...8, using: &world.random) {
                    switch Int.random(in: 0...3, using: &world.random) {
                    case 0: try await world.say()
                    case 1: world.passes()
                    default: _ = try await world.answers()
                    }
                }
                try await world.disconnects()
                for _ in 0..<Int.random(in: 0...2, using: &world.random) { try await world.say() }
                _ = try await verify(world, archive, seed)
            }
            world.clock += 3000
            try await world.connects()
            while try await world.answers() { world.clock += 400 }
            world.clock += 2000
            try await world.say()
            let end = try await verify(world, archive, seed)
            if hasIDs { #expect(end.missing == 0 && end.gaps.isEmpty, "seed \(seed): \(end)") }
            try await world.disconnects()
            try await writer.close()
            #expect(try archive.check().flatMap(\.problems).isEmpty, "seed \(seed)")
        }
    }
}
