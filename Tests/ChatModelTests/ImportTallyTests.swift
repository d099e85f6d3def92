import ChatModel
import Foundation
import Testing

struct ImportTallyTests {
    @Test func `the answer of an earlier program has no changes and no records`() throws {
        let answer = Data(#"{"new": 1, "known": 2, "failed": 3}"#.utf8)
        #expect(try JSONDecoder().decode(ImportTally.self, from: answer) == ImportTally(new: 1, known: 2, failed: 3))
        let tally = ImportTally(new: 1, changed: 2, known: 3, failed: 4, records: 5, newRecords: 6)
        #expect(try JSONDecoder().decode(ImportTally.self, from: JSONEncoder().encode(tally)) == tally)
        #expect((tally + tally).newRecords == 12)
    }

    @Test func `people and rooms with one name are counted separately by their keys`() {
        var counter = OccurrenceCounter(folding: .rfc1459)
        func number(_ sender: String, _ key: String?, in room: String? = nil) -> Int {
            var message = ImportedMessage(
                room: "#example", roomKey: room, kind: .message, sender: sender, senderKey: key, body: "hi",
                time: Timestamp(microseconds: 1), resolution: .minute)
            counter.count(&message)
            return message.occurrence.inMinute
        }
        #expect(number("alice", "U1") == 1)
        #expect(number("alice", "U2") == 1)
        #expect(number("ally", "U1") == 2, "who has a key is the same under every name")
        #expect(number("alice", "U1", in: "C1") == 1)
        #expect(number("Alice", nil) == 1)
        #expect(number("alice", nil) == 2)
    }

    @Test func `messages of another section are counted separately`() {
        var counter = OccurrenceCounter(folding: .rfc1459)
        func number(in section: Int, own: ImportedMessage.Owner? = nil) -> Int {
            var message = ImportedMessage(
                room: "#example", kind: .message, sender: "alice", body: "hi", time: Timestamp(microseconds: 1),
                resolution: .minute)
            (message.section, message.own) = (section, own)
            counter.count(&message)
            return message.occurrence.inMinute
        }
        #expect(number(in: 0) == 1)
        #expect(number(in: 1) == 1)
        #expect(number(in: 0) == 2)
        #expect(number(in: 0, own: .name) == 1)
        #expect(number(in: 1, own: .name) == 1)
    }
}
