import ChatModel
import TestSupport
import Testing

@testable import Archive
@testable import Checks
@testable import Reading
@testable import Writing

/// Any sequence of rules, holds, forgetting, history and new openings leaves what a model says.
@Suite(.disabled(if: QuickCheck.isRunning))
struct RandomRetentionTests {
    @Test(arguments: UInt64(1)...8)
    func `random rules, holds and forgetting leave exactly the expected messages`(seed: UInt64) async throws {
        let fixture = try ArchiveFixture()
        var model = Model()
        var random = SeededGenerator(seed: seed)
        var writer = try await fixture.openWriter()
        var session = try await writer.openSession()
        for _ in 0..<60 {
            switch Int.random(in: 0..<13, using: &random) {
            case 0..<5:
                let said = model.say(Int.random(in: 1...40, using: &random), &random)
                _ = try await writer.append(said.map { $0.event(in: session) })
            case 10:
                // The network sends all its history again.
                _ = try await writer.append(model.repeatHistory().map { $0.event(in: session) })
            case 11:
                guard let one = model.messages.randomElement(using: &random) else { continue }
                try await forget(.message(one.id(in: fixture)), by: writer, at: model.now)
                model.forget { $0.body == one.body }
            case 12:
                guard let one = model.messages.randomElement(using: &random) else { continue }
                let user: Int64? = try fixture.value("SELECT id FROM user WHERE key = '\(one.name)'")
                try await forget(.user(try #require(user)), by: writer, at: model.now)
                model.forget { $0.name == one.name }
            case 5..<7:
                let rules = Model.rules(&random)
                let removed = try await writer.apply(rules, at: model.now)
                let expected = model.apply(rules)
                #expect(removed[.messages] ?? 0 == expected.messages && removed[.joins] ?? 0 == expected.joins)
            case 7:
                let hold = model.hold(&random)
                try await writer.retention.setHold(hold)
            case 8:
                guard let name = model.holds.keys.sorted().randomElement(using: &random) else { continue }
                model.holds[name] = nil
                #expect(try await writer.retention.removeHold(named: name))
            default:
                try await writer.close()
                writer = try await fixture.openWriter()
                session = try await writer.openSession(at: model.now)
            }
        }
        try await writer.close()
        for room in Model.rooms.indices {
            let found = try await fixture.walk(
                .oldest, limit: 500, query: try fixture.query(room: nil)
            ).filter { $0.room == Model.rooms[room].name }.map { $0.body ?? "" }
            let expected = model.messages.filter { $0.room == room }.sorted { $0.time < $1.time }.map(\.body)
            #expect(found == expected, "room \(room), seed \(seed)")
        }
        let log = try fixture.archive.reading().retention.log()
        #expect(log.reduce(0) { $0 + $1.count } == model.removed)
        #expect(try fixture.archive.check().flatMap(\.problems).isEmpty)
    }

    private func forget(_ subject: Forgetting.Subject, by writer: AccountWriter, at now: Timestamp) async throws {
        var place: ForgettingPlace?
        repeat {
            place = try await writer.retention.forget(Forgetting(subject, redacts: false), from: place, at: now).next
        } while place != nil
    }

    private struct Model {
        static let rooms = ["#one", "#two", "#three"].map { RoomReference(key: $0, name: $0, kind: .channel) }

        struct Said {
            var body: String
            var time: Timestamp
            var room: Int
            var isJoin: Bool
            var name: String

            func event(in session: SessionID) -> ChatEvent {
                .said(
                    body, at: time.microseconds - ArchiveFixture.day.microseconds, by: name, in: session,
                    kind: isJoin ? .join : .message, room: Model.rooms[room], remoteID: body, sourceTime: time)
            }

            func id(in fixture: ArchiveFixture) throws -> MessageID {
                let id: Int64? = try fixture.value("SELECT id FROM message WHERE remote_id = '\(body)'")
                return MessageID(microseconds: try #require(id))
            }
        }

        struct Part: Hashable {
            var room: Int
            var isJoin: Bool
        }

        var messages: [Said] = []
        var holds: [String: Hold] = [:]
        /// The last removed time by part.
        var ends: [Part: Timestamp] = [:]
        /// The numbers of the store's rooms, which begin with the first message of each, after the lobby.
        var numbers: [Int: Int64] = [:]
        var removed: Int64 = 0
        private var said: Int64 = 0
        /// Everything that was ever said.
        private var history: [Said] = []
        private var forgotten: Set<String> = []
        private(set) var now = ArchiveFixture.day

        private func isHeld(_ time: Timestamp, room: Int) -> Bool {
            holds.values.contains { hold in
                (hold.room == nil || hold.room == numbers[room]) && hold.start ?? time <= time
                    && hold.end.map { time < $0 } ?? true
            }
        }

        /// Says something now, or long ago as history has it. No two messages have one time.
        mutating func say(_ count: Int, _ random: inout SeededGenerator) -> [Said] {
            (0..<count).map { _ in
                said += 1
                now = now.advanced(byMicroseconds: 1_000_000)
                let age = Bool.random(using: &random) ? 0 : Int64.random(in: 0...400, using: &random) * 1_000_000
                let one = Said(
                    body: "\(said)", time: now.advanced(byMicroseconds: said - age),
                    room: Int.random(in: Self.rooms.indices, using: &random),
                    isJoin: Int.random(in: 0..<4, using: &random) == 0,
                    name: ["alice", "bob", "민수"].randomElement(using: &random) ?? "")
                history.append(one)
                if numbers[one.room] == nil { numbers[one.room] = Int64(numbers.count + 2) }
                if isTaken(one) { messages.append(one) }
                return one
            }
        }

        /// Returns true for a message that no rule has taken with its time.
        private func isTaken(_ one: Said) -> Bool {
            let end = ends[Part(room: one.room, isJoin: one.isJoin)]
            return end.map { one.time > $0 } ?? true || isHeld(one.time, room: one.room)
        }

        mutating func repeatHistory() -> [Said] {
            let present = Set(messages.map(\.body))
            messages += history.filter { one in
                !present.contains(one.body) && !forgotten.contains(one.body) && isTaken(one)
            }
            return history
        }

        mutating func forget(_ isMeant: (Said) -> Bool) {
            let gone = messages.filter { isMeant($0) && !isHeld($0.time, room: $0.room) }.map(\.body)
            forgotten.formUnion(gone)
            removed += Int64(gone.count)
            messages.removeAll { gone.contains($0.body) }
        }

        mutating func hold(_ random: inout SeededGenerator) -> Hold {
            let start = now.advanced(byMicroseconds: -Int64.random(in: 0...500, using: &random) * 1_000_000)
            let hold = Hold(
                name: "hold\(Int.random(in: 0..<3, using: &random))",
                room: Bool.random(using: &random) ? nil : numbers.values.sorted().randomElement(using: &random),
                start: Bool.random(using: &random) ? nil : start,
                end: Bool.random(using: &random) ? nil : start.advanced(byMicroseconds: 60_000_000), setAt: now)
            holds[hold.name] = hold
            return hold
        }

        static func rules(_ random: inout SeededGenerator) -> RetentionRules {
            func age() -> Duration { .seconds(Int.random(in: 50...600, using: &random)) }
            func table(_ rooms: [String]?) -> RetentionRules.Table {
                .keeping(
                    Bool.random(using: &random) ? [.messages: age()] : [.messages: age(), .joins: age()], rooms: rooms,
                    minMessages: Bool.random(using: &random) ? nil : Int.random(in: 0...30, using: &random))
            }
            return RetentionRules(tables: [table(["#t*"]), table(nil)].shuffled(using: &random))
        }

        mutating func apply(_ rules: RetentionRules) -> (messages: Int64, joins: Int64) {
            var counts: (messages: Int64, joins: Int64) = (0, 0)
            for room in Self.rooms.indices {
                let kept = messages.filter { $0.room == room && !$0.isJoin }.map(\.time).sorted()
                    .suffix(rules.minMessages(room: Self.rooms[room].name))
                for isJoin in [false, true] {
                    guard let rule = rules.rule(for: isJoin ? .joins : .messages, room: Self.rooms[room].name) else {
                        continue
                    }
                    let gone = messages.filter { one in
                        one.room == room && one.isJoin == isJoin && one.time < rule.end(at: now)
                            && !isHeld(one.time, room: room) && (isJoin || !kept.contains(one.time))
                    }
                    guard let last = gone.map(\.time).max() else { continue }
                    let part = Part(room: room, isJoin: isJoin)
                    ends[part] = max(ends[part] ?? last, last)
                    let bodies = Set(gone.map(\.body))
                    messages.removeAll { bodies.contains($0.body) }
                    removed += Int64(gone.count)
                    if isJoin { counts.joins += Int64(gone.count) } else { counts.messages += Int64(gone.count) }
                }
            }
            return counts
        }
    }
}
