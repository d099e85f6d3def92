import ChatModel
import Testing

@testable import Reader

struct ReaderScrollingTests {
    @Test func `a room opens at its newest message, at the bottom`() {
        let reader = SampleReader(SampleArchive(100))
        #expect(reader.numbers.last == 100)
        #expect(reader.lines[22].hasSuffix("alice  text 100"))
        #expect(reader.lines.count == 24)
        #expect(reader.bottom.hasSuffix("? keys   live ●"))
    }

    @Test func `pages back and on have each message, without an end, in bounded memory`() {
        var reader = SampleReader(SampleArchive(2000))
        var seen = Set(reader.numbers)
        for _ in 0..<400 where !seen.contains(1) {
            reader.press(.pageUp)
            seen.formUnion(reader.numbers)
            #expect(reader.model.shown.history.window.messages.count <= 1200)
        }
        #expect(seen == Set(1...2000))
        seen = Set(reader.numbers)
        for _ in 0..<400 where !seen.contains(2000) {
            reader.press(.character(" "))
            seen.formUnion(reader.numbers)
        }
        #expect(seen == Set(1...2000))
        #expect(reader.archive.asked.count < 150, "a page is read for several screens")
    }

    @Test func `Home and End read the ends, wherever one is`() {
        var reader = SampleReader(SampleArchive(5000))
        reader.press(.home)
        #expect(reader.numbers.first == 1)
        reader.press(.end)
        #expect(reader.numbers.last == 5000)
    }

    @Test func `the selection moves by messages, and the screen follows it`() {
        var reader = SampleReader(SampleArchive(100))
        for _ in 0..<40 { reader.press(.character("k")) }
        #expect(reader.model.shown.history.selectedRow?.message?.body == "text 60")
        #expect(reader.numbers.contains(60))
        for _ in 0..<60 { reader.press(.character("j")) }
        #expect(reader.model.shown.history.selectedRow?.message?.body == "text 100")
    }

    @Test func `a text that is longer than the screen is scrolled line by line`() {
        var archive = SampleArchive(3)
        archive.say((1...60).map { "word\($0)" }.joined(separator: "\n"))
        archive.say("the last")
        var reader = SampleReader(archive)
        reader.press(.character("k"))
        #expect(reader.lines.contains { $0.contains("word60") })
        for _ in 0..<60 { reader.press(.character("k")) }
        #expect(reader.numbers.first == 1)
    }

    @Test func `a new message appears at the end, and is counted elsewhere`() {
        var reader = SampleReader(SampleArchive(500))
        reader.archive.say("text 501")
        reader.change()
        #expect(reader.numbers.last == 501)
        reader.press(.pageUp, .pageUp)
        let before = reader.numbers
        reader.archive.say("text 502")
        reader.archive.say("text 503")
        reader.change()
        #expect(reader.numbers == before, "the place stays")
        #expect(reader.bottom.hasSuffix("2 new ↓"))
        reader.press(.home)
        reader.archive.say("text 504")
        reader.change()
        #expect(reader.bottom.hasSuffix("3 new ↓"), "the end is not loaded")
        reader.press(.end)
        #expect(reader.numbers.last == 504)
        #expect(reader.bottom.hasSuffix("live ●"))
    }

    @Test func `a line is above the first unread message, and nowhere before that is loaded`() {
        var archive = SampleArchive(1000)
        archive.marker = archive.messages[9].id
        var reader = SampleReader(archive)
        #expect(reader.numbers.last == 1000)
        #expect(!reader.lines.contains { $0.contains("unread since") })
        reader.press(.home)
        let line = reader.lines.firstIndex { $0.contains("── 990 unread since 2026-11-21 01:30:00 ──") }
        #expect(line.map { reader.lines[$0 + 1].hasSuffix("text 11") } == true, "\(reader.lines)")
    }

    @Test func `a page shorter than the screen is filled from above, and the newest message stays at the bottom`() {
        var reader = SampleReader(SampleArchive(1000))
        let all = reader.archive.messages
        let first = Page(messages: Array(all.suffix(2)), older: all[998].id, newer: nil, gaps: [])
        reader.perform(reader.model.opened(SampleArchive.room, .latest, first))
        #expect(reader.numbers.last == 1000)
        #expect(reader.numbers.count > 15)
    }

    @Test func `a late message and a deleted one change the place of no other`() throws {
        var reader = SampleReader(SampleArchive(300))
        reader.press(.pageUp, .pageUp)
        let top = try #require(reader.numbers.first)
        reader.archive.messages.remove(at: 290)
        reader.change()
        #expect(reader.numbers.first == top)
    }

    @Test func `a change while a place is read is not missed`() {
        var reader = SampleReader(SampleArchive(50))
        let ask = reader.model.press(.home) + reader.model.press(.alt("1"))
        guard case .ask(let request) = ask.last else { return #expect(Bool(false), "\(ask)") }
        let answer = reader.archive.answer(request)
        reader.archive.say("text 51")
        reader.change()
        reader.perform(reader.model.receive(request, answer))
        #expect(reader.numbers.last == 51)
    }

    @Test func `an answer of an earlier place changes nothing`() {
        var reader = SampleReader(SampleArchive(3000))
        let old = ReaderRequest.open(SampleArchive.room, .oldest, reader.model.shown.choice)
        let answer = reader.archive.answer(old)
        reader.perform(reader.model.receive(old, answer))
        #expect(reader.numbers.last == 3000)
    }

    @Test func `an error is one sentence at the bottom, and reading goes on`() {
        var reader = SampleReader(SampleArchive(3000))
        reader.archive.failure = "the file is gone"
        reader.press(.home)
        #expect(reader.bottom.hasPrefix("the file is gone"))
        #expect(reader.numbers.last == 3000)
        reader.archive.failure = nil
        reader.press(.home)
        #expect(reader.numbers.first == 1)
    }
}
