import ChatModel
import Foundation
import LogFormats
import TestSupport
import Testing

@testable import Importing

/// Files that an import has found: how many, and in which order.
struct FoundFilesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func found(_ names: [String]) throws -> [String] {
        try ZipFile(names.map { ZipFile.Entry($0, "x") }).write(to: folder.path + "/x.zip")
        var files = FoundFiles()
        try files.addFiles(inArchive: folder.path + "/x.zip")
        return (0..<files.count).map { files.name(of: $0) }
    }

    @Test func `a folder's own files precede those of its subfolders`() throws {
        let names = [
            "a.log", "b.log", "민수.log", "a/x.log", "a/y.log", "a/b/x.log", "a/b/c/x.log", "a-b/x.log", "b/x.log",
        ]
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<20 { #expect(try found(names.shuffled(using: &generator)) == names) }
    }

    @Test func `an archive's folder is stored once, even with others between its files`() throws {
        var files = FoundFiles()
        try files.addContainer("x", isArchive: false)
        let first = try ["a/", "b/", "a/", "b/"].map { try files.addFolder($0) }
        #expect(first == [0, 1, 0, 1])
        try files.addContainer("y", isArchive: false)
        #expect(try files.addFolder("a/") == 2)
    }

    /// Ten years of 500 channels, a file a day.
    @Test(.disabled(if: QuickCheck.isRunning))
    func `the days of a large Slack export are found, and a larger number is refused`() throws {
        var files = FoundFiles()
        try files.addContainer("export.zip", isArchive: true)
        let day = Array("2026-11-21.json".utf8)
        for room in 0..<500 {
            let folder = try files.addFolder("channel-\(room)/")
            for place in 0..<3650 { try files.addFile(day, in: folder, at: Int64(place)) }
        }
        #expect(files.count == 1_825_000)
        #expect(files.name(of: 1_824_999) == "channel-499/2026-11-21.json")
        #expect(throws: UnreadableBytes.tooManyFiles) {
            for _ in 0..<200_000 { try files.addFile(day, in: 0, at: 0) }
        }
        #expect(files.count <= FileLimit.maximumFiles)
    }

    @Test func `the memory for names is limited`() throws {
        var files = FoundFiles()
        let name = [UInt8](repeating: 0x61, count: 4094)
        try files.addContainer("x", isArchive: false)
        let folder = try files.addFolder("")
        #expect(throws: UnreadableBytes.tooManyFiles) {
            for _ in 0...(FileLimit.maximumBytes / 4096) { try files.addFile(name, in: folder, at: 0) }
        }
    }

    /// 120,000 files were the limit once.
    @Test(.disabled(if: QuickCheck.isRunning))
    func `a Slack export of many days is one source with every day`() throws {
        let (rooms, days) = Torture.isWhole ? (140, 1000) : (20, 1000)
        let lists = ["users.json", "channels.json"].map { ZipFile.Entry($0, "[]") }
        let files = (0..<rooms).flatMap { room in
            (0..<days).map { day in
                var entry = ZipFile.Entry("room-\(room)/\(1000 + day)-11-21.json", "[]")
                entry.isDeflated = false
                return entry
            }
        }
        var zip = ZipFile(lists + files)
        zip.entries[0].isLarge = true
        try zip.write(to: folder.path + "/export.zip")
        var search = ImportSearch(
            options: ImportOptions(format: nil, room: nil, zone: .gmt), report: ImportReport(isRehearsal: false))
        search.find(folder.path + "/export.zip")
        #expect(search.sources.map(\.files.count) == [2 + rooms * days])
        #expect(search.sources.first?.format == SlackFormat.self)
        #expect(search.sources.first?.files.last?.name == "room-9/1999-11-21.json")
    }

    @Test func `a text that is not UTF-8 is counted in its file, and the first files are listed`() {
        var (texts, all) = (UndecodedTexts(), UndecodedTexts())
        for file in 0..<1000 { for _ in 0..<3 { texts.count(in: "\(file).log") } }
        all.add(texts)
        all.add(texts)
        #expect((all.messages, all.files) == (6000, 2000))
        #expect(all.examples.map(\.file) == ["0.log", "1.log", "2.log"])
        #expect(all.examples.allSatisfy { $0.messages == 3 })
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `spans of rooms with long names are returned before they fill much memory`() {
        var spans = RoomSpans()
        var (given, largest) = (0, 0)
        for index in 0..<2000 {
            let room = "\(index)" + String(repeating: "r", count: 10_000)
            let message = ImportedMessage(
                room: room, kind: .message, sender: nil, body: "hi", time: sampleTime, resolution: .second)
            spans.note(message)
            let early = spans.takeEarly()
            given += early.count
            largest = max(largest, early.reduce(0) { $0 + $1.room.utf8.count })
        }
        #expect(largest > 1_000_000 && largest <= 3_000_000)
        #expect(given + spans.take().count == 2000)
    }
}
