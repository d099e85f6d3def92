import ChatModel
import Testing

@testable import Reader

struct ReaderSearchTests {
    private var reader: SampleReader {
        var archive = SampleArchive(400)
        for number in [10, 200, 390] { archive.messages[number] = SampleArchive.message(number, "a needle \(number)") }
        archive.messages.append(SampleArchive.message(1000, "another needle", in: SampleArchive.other))
        return SampleReader(archive)
    }

    @Test func `hits appear while one types, with their number and their years`() {
        var reader = reader
        reader.type("/need")
        #expect(reader.lines.filter { $0.contains("needle") }.count == 3)
        #expect(reader.bottom.hasPrefix("/need"))
        #expect(reader.bottom.hasSuffix("hit 1 of 3 ▏2026█"))
        reader.type("x")
        #expect(reader.bottom.hasSuffix("no hits"))
        #expect(reader.model.screen.cursor?.column == 6)
    }

    @Test func `Enter opens a hit among its neighbours, n and N go on, Escape returns`() {
        var reader = reader
        reader.press(.pageUp, .pageUp)
        let before = reader.numbers
        reader.type("/needle")
        reader.press(.up, .enter)
        #expect(reader.numbers.contains(200) && reader.numbers.contains(202))
        #expect(reader.model.shown.history.selectedRow?.message?.body == "a needle 200")
        #expect(reader.bottom.hasPrefix("/needle  hit 2 of 3"))
        reader.type("n")
        #expect(reader.model.shown.history.selectedRow?.message?.body == "a needle 10")
        reader.type("n")
        #expect(reader.bottom.hasPrefix("no older hit"))
        reader.type("NN")
        #expect(reader.model.shown.history.selectedRow?.message?.body == "a needle 390")
        reader.press(.escape)
        #expect(Set(reader.numbers).intersection(before).count > 10)
        #expect(reader.model.search == nil)
    }

    @Test func `Tab searches the account, everything, and the room again`() {
        var reader = reader
        reader.type("/needle")
        #expect(!reader.lines.contains { $0.contains("another needle") })
        reader.press(.tab)
        #expect(reader.lines.contains { $0.contains("another needle") })
        #expect(reader.lines[0].contains("search in all rooms of demo"))
        reader.press(.tab)
        #expect(reader.lines[0].contains("search in everything"))
        reader.press(.tab)
        #expect(!reader.lines.contains { $0.contains("another needle") })
    }

    @Test func `a hit of another room opens there, and Escape returns to the first room`() {
        var reader = reader
        reader.type("/another needle")
        reader.press(.tab, .enter)
        #expect(reader.model.shown.key == SampleArchive.other)
        reader.press(.escape)
        #expect(reader.model.shown.key == SampleArchive.room)
        #expect(reader.numbers.last == 400)
    }

    @Test func `the hits of an earlier text are not opened`() {
        var reader = reader
        reader.type("/needle")
        let ask = reader.model.press(.character("x"))
        #expect(reader.model.press(.enter) == [], "waits for the answer")
        reader.perform(ask)
        #expect(reader.model.search?.selected == nil, "no text has the x")
    }

    @Test func `n reads further hits when the loaded ones are used up`() {
        var archive = SampleArchive(0)
        for number in 0..<100 { archive.messages.append(SampleArchive.message(number, "needle \(number)")) }
        var reader = SampleReader(archive)
        reader.type("/needle")
        reader.press(.enter)
        for _ in 0..<99 { reader.type("n") }
        #expect(reader.model.shown.history.selectedRow?.message?.body == "needle 0")
        #expect(reader.bottom.hasPrefix("/needle  hit 100 of 100"))
    }

    @Test func `a command can begin with a search`() {
        let reader = SampleReader(reader.archive, query: "needle")
        #expect(reader.bottom.hasPrefix("/needle"))
        #expect(reader.bottom.hasSuffix("hit 1 of 3 ▏2026█"))
    }

    @Test func `a bar stands for each year, also for one without hits`() {
        #expect(Sparkline.text([(2016, 1), (2017, 0), (2018, 100)]) == " ▏2016▁ █2018")
        #expect(Sparkline.text([]) == "")
        var hits = FoundHits(
            search: ReaderRequest.Search(text: "x", scope: .everything, hidden: [], names: .then),
            pane: reader.model.shown.history, origin: nil)
        hits.take([
            HitCount(account: nil, name: "2018", count: 2), HitCount(account: nil, name: "2016", count: 1),
        ])
        #expect(hits.years.map(\.count) == [1, 0, 2])
        #expect(hits.total == 3)
    }
}
