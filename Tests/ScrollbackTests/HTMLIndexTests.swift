import ChatModel
import Foundation
import TestSupport
import Testing

@testable import Exporting
@testable import Rendering

struct HTMLIndexTests {
    private func month(_ number: Int, files: Int = 1) -> ExportContents.Month {
        let month = CalendarMonth(year: 2020 + number / 12, month: number % 12 + 1)
        return ExportContents.Month(
            month: month, files: (1...files).map { ExportUnit.fileName(month, part: $0, fileExtension: "html") },
            messages: 1203, first: MessageID(sampleTime), last: MessageID(sampleTime.advanced(by: .seconds(86_400))))
    }

    private func files(_ rooms: [ExportContents.Room]) throws -> [ExportCompanion] {
        HTMLExport.companions(of: ExportContents(settings: try exportSettings(), rooms: rooms))
    }

    @Test func `the index links to each month of each room`() throws {
        let room = ExportContents.Room(
            id: 1, name: "#example", folder: "a#b", months: [month(0), month(13, files: 3)], gaps: [gap()])
        let files = try files([room])
        #expect(files.map(\.path) == ["index.html"])
        let page = try StrictHTML(files[0].contents)
        #expect(
            page.tags.compactMap { $0.attributes["href"] }
                == ["a%23b/2021-02.html", "a%23b/2020-01.html", "a%23b/2021-02.html"])
        #expect(page.text.contains("2,406 messages, 2026-11-21 to 2026-11-22"))
        #expect(page.text.contains("February 2021 1,203, 3 pages"))
        #expect(page.text.contains("1 gap"))
    }

    @Test func `each index shows what was removed from an empty room`() throws {
        let rule = RetentionRule(text: "max_age = \"90d\"", age: .seconds(7_776_000))
        let purge = Purge(
            account: "demo", room: "가족", part: .messages, rule: rule, first: sampleTime, last: sampleTime, count: 4,
            at: sampleTime)
        let room = ExportContents.Room(id: 1, name: "가족", folder: "f", months: [], gaps: [Gap(purge, room: "가족")])
        let contents = ExportContents(settings: try exportSettings(), rooms: [room])
        for files in [
            HTMLExport.companions(of: contents), TextExport.companions(of: contents),
            MarkdownExport.companions(of: contents),
        ] {
            #expect(files.contains { $0.contents.contains("4 messages of ") && $0.contents.contains(" expired on ") })
        }
        let page = try #require(HTMLExport.companions(of: contents).first { $0.path == "index.html" })
        #expect(!page.contents.contains("<a "), "there is no file to lead to")
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `the index of 10,000 rooms has several linked pages`() throws {
        let files = try files(
            (0..<10_000).map {
                ExportContents.Room(id: Int64($0), name: "room \($0)", folder: "r\($0)", months: [month(0)], gaps: [])
            }
        )
        #expect(files.count > 1)
        #expect(files.prefix(2).map(\.path) == ["index.html", "index.2.html"])
        #expect(files.allSatisfy { $0.contents.utf8.count <= 1_000_000 })
        #expect(files.reduce(0) { $0 + $1.contents.components(separatedBy: "<h2>").count - 1 } == 10_000)
        #expect(files[0].contents.contains("<a rel=\"next\" href=\"index.2.html\">"))
        #expect(files[1].contents.contains("<a rel=\"prev\" href=\"index.html\">"))
    }

    @Test func `a room of many years has its own page`() throws {
        let room = ExportContents.Room(
            id: 1, name: "민수", folder: "rooms/minsu", months: (0..<100).map { month($0) }, gaps: [])
        let files = try files([room])
        #expect(files.map(\.path) == ["index.html", "rooms/minsu/index.html"])
        #expect(try StrictHTML(files[0].contents).tags.count { $0.name == "a" } == 2)
        let own = try StrictHTML(files[1].contents).tags.compactMap { $0.attributes["href"] }
        #expect(own.prefix(2) == ["../../index.html", "2020-01.html"])
        #expect(own.count == 101)
    }

    @Test(
        .disabled(if: QuickCheck.isRunning),
        arguments: ["../../x", "<script>alert(1)</script>", String(repeating: "'", count: 5000), "\u{202E}x", ""])
    func `a room's name is escaped in the index`(name: String) throws {
        let gaps = (0..<100).map { _ in gap(reason: name) }
        let rooms = (0..<3).map {
            ExportContents.Room(id: Int64($0), name: name, folder: "r\($0)", months: [month(0)], gaps: gaps)
        }
        for file in try files(rooms) {
            #expect(file.contents.utf8.count <= 1_000_000)
            #expect(try StrictHTML(file.contents).tags.allSatisfy { $0.attributes["href"]?.contains("..") != true })
        }
    }

    @Test func `an export without rooms has an index that says so`() throws {
        let files = try files([])
        #expect(files.map(\.path) == ["index.html"])
        #expect(try StrictHTML(files[0].contents).text.contains("0 rooms, 0 messages"))
    }
}
