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
            content: OccurrenceKey { $0.combine(text) }, sender: sender, isSaid: true,
            time: LineAlignment.move(time, resolution: resolution), resolution: resolution)
    }

    private static func align(_ lines: [Entry], _ messages: [Entry]) -> (distance: Int64?, matches: [Int?]) {
        var alignment = LineAlignment(lines: lines, messages: messages)
        let distance = alignment.align().distance
        return (distance, alignment.matches)
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
        let (found, matched) = Self.align(lines, messages)
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
    func `lines with a clock up to 90 s off match, and no others`(seed: Int) {
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

    @Test func `an additional equal line stays new`() {
        let texts = (0..<20).map { "text \($0)" }
        let messages = texts.enumerated().map { Self.entry($1, at: Self.start + Int64($0) * 30 * Self.second) }
        let lines = messages + [Self.entry("text 5", at: messages[5].time + Self.second)]
        let matched = Self.align(lines, messages).matches
        #expect(matched.dropLast().enumerated().allSatisfy { $0.offset == $0.element })
        #expect(matched.last == .some(nil))
    }

    /// A bot's texts of an hour, every minute the same.
    private static let bot = (0..<60).flatMap { minute in
        (0..<9).map { entry("value \($0)", at: start + Int64(minute) * Self.minute + Int64($0) * second) }
    }

    @Test func `a bot that repeats its texts every minute shows no clock difference`() {
        let later = Array(Self.bot.dropFirst(90))
        #expect(Self.align(Self.bot, later).matches == [Int?](repeating: nil, count: 90) + later.indices.map { $0 })
        #expect(Self.align(later, Self.bot).matches == later.indices.map { $0 + 90 })
    }

    @Test func `only the rest of a grown log is new, however often its texts repeat`() {
        let log = (0..<80).map { index in
            let text = index % 10 == 0 ? "line \(index)" : "text \(index * 3 % 4)"
            return Self.entry(text, at: Self.start + Int64(index) * 6 * Self.second, to: Self.minute)
        }
        #expect(Self.align(log, Array(log.prefix(40))).matches == (0..<80).map { $0 < 40 ? $0 : nil })
    }

    @Test func `an imported older part and a newer part with another clock both match`() {
        let log = (0..<40).map { Self.entry("line \($0)", at: Self.start + Int64($0) * Self.minute, to: Self.second) }
        let live = (20..<40).map { Self.entry("line \($0)", at: log[$0].time - 45 * Self.second) }
        #expect(
            Self.align(log, Array(log.prefix(15)) + live).matches
                == (0..<40).map { $0 < 15 ? $0 : $0 < 20 ? nil : $0 - 5 })
    }

    @Test func `a recording with a long gap matches`() {
        let log = (0..<80).map { Self.entry("line \($0)", at: Self.start + Int64($0) * Self.minute, to: Self.second) }
        let live = (0..<80).filter { $0 < 10 || $0 >= 70 }
            .map { Self.entry("line \($0)", at: log[$0].time - 700_000) }
        let matched = Self.align(log, live).matches
        #expect(matched.count { $0 == nil } == 60)
        #expect(matched[70] == 10)
    }

    @Test func `few texts show no distance, so that only equal times match`() {
        let messages = (0..<6).map { Self.entry("text \($0)", at: Self.start + Int64($0) * Self.minute) }
        let lines = (0..<6).map { index in
            Self.entry(
                "text \(index)", at: Self.start + Int64(index) * Self.minute + (index < 3 ? 20 : 0) * Self.second)
        }
        let (distance, matched) = Self.align(lines, messages)
        #expect(distance == nil)
        #expect(matched == [nil, nil, nil, 3, 4, 5])
    }

    @Test func `one client's two times of a message are equal up to a millisecond`() {
        let stored = [Self.entry("hi", at: Self.start), Self.entry("ho", by: 2, at: Self.start + Self.minute)]
        func matches(later: Int64) -> [Int?] {
            let lines = [Self.entry("hi", at: Self.start + 8), Self.entry("ho", by: 2, at: stored[1].time + later)]
            return Self.align(lines, stored).matches
        }
        #expect(matches(later: 277) == [0, 1])
        #expect(matches(later: -1000) == [0, 1])
        #expect(matches(later: 1001) == [0, nil])
        // Each message is one line at most.
        #expect(Self.align([stored[0], Self.entry("hi", at: Self.start + 1)], stored).matches == [0, nil])
    }

    @Test func `two clients of one clock may put the end of a second apart`() {
        let other = (0..<6).map { Self.entry("text \($0)", at: Self.start + Int64($0) * Self.minute, to: Self.second) }
        var log = other
        log[2] = Self.entry("text 2", at: other[2].time - Self.second, to: Self.second)
        log[4] = Self.entry("text 4", at: other[4].time + 4 * Self.second, to: Self.second)
        #expect(Self.align(log, other).matches == [0, 1, 2, 3, nil, 5])
        // Two equal lines show no clock.
        #expect(Self.align(Array(log[1...3]), Array(other[1...3])).matches == [0, nil, 2])
    }

    @Test func `matching time per line stays constant for thousands of equal lines`() {
        let lines = (0..<3000).map { Self.entry("tick", at: Self.start + Int64($0) * 1000) }
        #expect(Self.align(lines, lines).matches == lines.indices.map { $0 })
    }

    private static func chat(_ words: [(String, Int64)]) -> [Entry] {
        words.enumerated().map { index, word in
            entry(word.0, by: word.1, at: start + Int64(index) * Self.minute, to: Self.minute)
        }
    }

    @Test func `neighbouring lines identify a person whom the phone renamed`() {
        let stored = Self.chat([("hi", 1), ("look", 2), ("ok", 1)])
        let later = Self.chat([("hi", 9), ("look", 2), ("ok", 9), ("later", 9)])
        #expect(Self.align(later, stored).matches == [0, 1, 2, nil])
        // Once more, when the new line is stored under the new name.
        #expect(Self.align(later, stored + later.suffix(1)).matches == [0, 1, 2, 3])
    }

    @Test func `a log that writes each message when it comes renames nobody`() {
        let stored = Self.chat([("morning", 1), ("hi", 2), ("bye", 1)])
        var other = Self.chat([("morning", 1), ("hi", 9), ("bye", 1)])
        #expect(Self.align(other, stored).matches == [0, 1, 2])
        for index in other.indices { other[index].hasNameOfItsTime = true }
        #expect(Self.align(other, stored).matches == [0, nil, 2])
    }

    @Test func `two people in one log stay two, and events show no renaming`() {
        let stored = Self.chat([("hi", 1), ("look", 2), ("ok", 1)])
        let both = Self.chat([("hi", 9), ("look", 2), ("ok", 9), ("well", 1)])
        #expect(Self.align(both, stored).matches == [nil, 1, nil, nil])
        func quit(_ sender: Int64) -> Entry {
            Entry(
                content: OccurrenceKey { $0.combine("quit") }, sender: sender, isSaid: false, time: Self.start,
                resolution: Self.minute)
        }
        #expect(Self.align(stored + [quit(7)], stored + [quit(8)]).matches == [0, 1, 2, nil])
    }
}
