import ChatModel
import IRCWire
import Testing

@testable import IRC

/// Which room is asked about next, and whose an answer is.
struct IRCHistoryQueueTests {
    private func room(_ name: String, _ start: HistoryFill.Start = .latest()) -> IRCHistory.Room {
        IRCHistory.Room(
            reference: RoomReference(key: name, name: name, kind: .channel), name: Array(name.utf8),
            liveSince: Timestamp(microseconds: 1_790_000_000_000_000), missingSince: nil,
            fill: HistoryFill(target: Array(name.utf8), start: start, limit: 10, types: [.msgid]))
    }

    private func asks(_ name: String, _ history: inout IRCHistory, verb: String = "LATEST") {
        history.post(IRCMessage("CHATHISTORY", verb, name, "*", "10"), of: .room(key: name))
    }

    private func answer(_ name: String) throws -> BatchCollector.Output {
        var collector = BatchCollector()
        _ = collector.receive(try IRCMessage(line: Array("BATCH +1 chathistory \(name)".utf8)))
        return try #require(collector.receive(try IRCMessage(line: Array("BATCH -1".utf8))).first)
    }

    @Test func `one request is in flight, and rooms take turns in order`() throws {
        var history = IRCHistory(answerTimeout: .seconds(60))
        for name in ["#a", "#b"] {
            history.addRoom(room(name))
            asks(name, &history)
        }
        #expect(history.nextRequest(at: .zero, isLabeled: false)?.param(1) == Array("#a".utf8))
        #expect(history.nextRequest(at: .zero, isLabeled: false) == nil && !history.hasRequest)
        #expect(try history.receive(answer("#b"), mapping: .ascii) == nil, "of another room")
        let reply = try #require(try history.receive(answer("#a"), mapping: .ascii))
        #expect(reply.subject == .room(key: "#a"))
        #expect(history.nextRequest(at: .zero, isLabeled: false)?.param(1) == Array("#b".utf8))
        #expect(history.unanswered(at: .seconds(59)) == nil)
        #expect(history.unanswered(at: .seconds(60)) == .room(key: "#b"))
    }

    @Test func `the answer to a replaced request does not count for the new one`() throws {
        var history = IRCHistory(answerTimeout: .seconds(60))
        history.addRoom(room("#a"))
        asks("#a", &history)
        _ = history.nextRequest(at: .zero, isLabeled: false)
        history.addRoom(room("#a", .before(1_790_000_000_000)))
        asks("#a", &history, verb: "BEFORE")
        #expect(history.nextRequest(at: .zero, isLabeled: false) == nil, "the old answer is still to come")
        let reply = try #require(try history.receive(answer("#a"), mapping: .ascii))
        #expect(reply.subject == nil)
        #expect(history.nextRequest(at: .zero, isLabeled: false)?.param(0) == Array("BEFORE".utf8))
    }

    @Test func `the waiting rooms without news are known after each change`() {
        var history = IRCHistory(answerTimeout: .seconds(60))
        var expected: [String: Int64] = [:]
        for number in 0..<1000 {
            var room = room("#\(number)")
            room.quietSince = number.isMultiple(of: 2) ? Int64(number) : nil
            expected["#\(number)"] = room.quietSince
            history.addRoom(room)
        }
        #expect(history.quietRooms == expected)
        history.change("#2") { $0.quietSince = nil }
        history.remove("#4")
        asks("#6", &history)
        _ = history.nextRequest(at: .zero, isLabeled: false)
        for name in ["#2", "#4", "#6"] { expected[name] = nil }
        #expect(history.quietRooms == expected)
    }
}
