import ChatModel
import TestSupport
import Testing

@testable import Archive

/// Which lines of a log are which stored messages, when the two clocks differ.
struct LineAlignmentTests {
    private typealias Entry = LineAlignment.Entry

    private static let second: Int64 = 1_000_000
    private static let minute = 60 * second
    private static let start: Int64 = 1_795_000_000 * second

    private static func entry(_ text: String, by sender: Int64 = 1, at time: Int64, to resolution: Int64 = 1) -> Entry {
        Entry(
            content: OccurrenceKey { $0.combine(text) }, sender: sender,
            time: LineAlignment.move(time, resolution: resolution), resolution: resolution)
    }

    /// Something that was said, and whether the archive and the log have it.
    private struct Said {
        let (text, sender, time): (String, Int64, Int64)
        let (isStored, isLogged): (Bool, Bool)
    }

    /// A conversation of 20 different texts, of which most come again and again, and some that come once.
    private static func conversation(_ random: inout SeededGenerator, lines: Int, loss: Int) -> [Said] {
        var time = start
        return (0..<lines).map { index in
            time += Int64.random(in: 200_000...40 * second, using: &random)
            let repeated = Int.random(in: 0..<20, using: &random)
            let text = Int.random(in: 0..<3, using: &random) == 0 ? "line \(index)" : "text \(repeated)"
            let lost = Int.random(in: 0..<100, using: &random)
            return Said(
                text: text, sender: .random(in: 1...4, using: &random), time: time, isStored: lost >= loss,
                isLogged: lost < loss || lost >= 2 * loss)
        }
    }

    /// The numbers of messages that an import would store twice, and of those that it would leave out.
    private static func faults(
        _ said: [Said], distance: Int64, jitter: Int64, resolution: Int64, _ random: inout SeededGenerator
    ) -> (doubled: Int, lost: Int, found: Int64?) {
        let logged = said.indices.filter { said[$0].isLogged }
        let stored = said.indices.filter { said[$0].isStored }
        let lines = logged.map { index in
            let delay = jitter == 0 ? 0 : Int64.random(in: -jitter...jitter, using: &random)
            return entry(
                said[index].text, by: said[index].sender, at: said[index].time + distance + delay, to: resolution)
        }
        let messages = stored.map { entry(said[$0].text, by: said[$0].sender, at: said[$0].time) }
        let alignment = LineAlignment(lines: lines, messages: messages)
        let found = alignment.distance()
        let matched = alignment.match(found)
        // Equal lines of one person that are so near each other can't be told apart.
        var ambiguous: Set<Int> = []
        var last: [String: Int] = [:]
        for (index, line) in said.enumerated() {
            let key = "\(line.sender) \(line.text)"
            if let before = last[key], line.time - said[before].time < 2 * jitter + 2 * second + resolution {
                ambiguous.formUnion([before, index])
            }
            last[key] = index
        }
        var (doubled, lost) = (0, 0)
        for (place, index) in logged.enumerated() where !ambiguous.contains(index) {
            let message = matched[place].map { stored[$0] }
            if said[index].isStored, message == nil { doubled += 1 }
            if !said[index].isStored, message != nil { lost += 1 }
        }
        return (doubled, lost, found)
    }

    @Test(arguments: 0..<60)
    func `lines of any clock up to 90 s away are found, and no others`(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let said = Self.conversation(
            &random, lines: .random(in: 60...1000, using: &random), loss: [0, 5, 20][seed % 3])
        let resolution = [1, Self.second, Self.minute][seed / 3 % 3]
        let distance = Int64.random(in: -90 * Self.second...90 * Self.second, using: &random)
        let jitter = [0, Self.second / 5, 3 * Self.second / 2][seed / 9 % 3]
        let faults = Self.faults(said, distance: distance, jitter: jitter, resolution: resolution, &random)
        #expect(faults.doubled == 0, "\(faults) for \(distance), jitter \(jitter), to \(resolution), \(said.count)")
        #expect(faults.lost == 0, "\(faults) for \(distance), jitter \(jitter), to \(resolution), \(said.count)")
    }

    @Test func `equal lines stay as many as they are`() {
        let texts = (0..<20).map { "text \($0)" }
        let messages = texts.enumerated().map { Self.entry($1, at: Self.start + Int64($0) * 30 * Self.second) }
        let lines = messages + [Self.entry("text 5", at: messages[5].time + Self.second)]
        let matched = LineAlignment(lines: lines, messages: messages).match(0)
        #expect(matched.dropLast().enumerated().allSatisfy { $0.offset == $0.element })
        #expect(matched.last == .some(nil))
    }

    @Test func `a bot that says the same every minute is no other clock`() {
        let hour = (0..<60).flatMap { minute in
            (0..<9).map {
                Self.entry("value \($0)", at: Self.start + Int64(minute) * Self.minute + Int64($0) * Self.second)
            }
        }
        #expect(LineAlignment(lines: hour, messages: Array(hour.dropFirst(90))).distance() == 0)
        #expect(LineAlignment(lines: Array(hour.dropFirst(90)), messages: hour).distance() == 0)
    }

    @Test func `few texts show no distance, and only equal times match then`() {
        let messages = (0..<6).map { Self.entry("text \($0)", at: Self.start + Int64($0) * Self.minute) }
        let lines = (0..<6).map { index in
            Self.entry(
                "text \(index)", at: Self.start + Int64(index) * Self.minute + (index < 3 ? 20 : 0) * Self.second)
        }
        let alignment = LineAlignment(lines: Array(lines.prefix(3)), messages: messages)
        #expect(alignment.distance() == nil)
        #expect(LineAlignment(lines: lines, messages: messages).match(nil) == [nil, nil, nil, 3, 4, 5])
    }

    @Test func `thousands of equal lines take no longer for each`() {
        let lines = (0..<3000).map { Self.entry("tick", at: Self.start + Int64($0) * 1000) }
        let alignment = LineAlignment(lines: lines, messages: lines)
        #expect(alignment.distance() == nil)
        #expect(alignment.match(nil).enumerated().allSatisfy { $0.offset == $0.element })
        #expect(alignment.match(30 * Self.second).count == lines.count)
    }

    @Test func `a person whom the phone calls otherwise by now is found by the lines beside`() {
        func said(_ words: [(String, Int64)]) -> [Entry] {
            words.enumerated().map { index, word in
                Self.entry(
                    word.0, by: word.1, at: Self.start + Int64(index) * 20 * Self.second, to: Self.minute)
            }
        }
        let stored = said([("hi", 1), ("look", 2), ("ok", 1)])
        let later = said([("hi", -7), ("look", 2), ("ok", -7), ("ok", -7)])
        #expect(LineAlignment(lines: later, messages: stored).match(nil) == [0, 1, 2, nil])
        // Both are in the log: they are two people.
        let both = said([("hi", -7), ("look", 2), ("ok", -7), ("well", 1)])
        #expect(LineAlignment(lines: both, messages: stored).match(nil) == [nil, 1, nil, nil])
    }
}
