import ChatModel
import Foundation
import LogFormats
import Synchronization
import TestSupport
import Testing

@testable import Importing

/// What a report prints.
private final class Printed: Sendable {
    private let lines = Mutex("")
    var text: String { lines.withLock { $0 } }
    func add(_ text: String) { lines.withLock { $0 += text } }
}

/// Which files belong together in an import, and which no format reads.
struct ImportPartsTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func write(_ bytes: [UInt8], to name: String) throws {
        let file = URL(filePath: folder.path + "/" + name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
    }

    private func write(_ text: String, to name: String) throws {
        try write(Array(text.utf8), to: name)
    }

    private func text(of name: String) throws -> String {
        try String(contentsOfFile: folder.path + "/" + name, encoding: .utf8)
    }

    private func search(_ paths: String...) -> ImportSearch {
        var search = ImportSearch(
            options: ImportOptions(room: "#example", zone: .gmt), report: ImportReport(isRehearsal: false))
        for path in paths { search.find(folder.path + "/" + path) }
        return search
    }

    /// What the sources say, message by message.
    private func bodies(_ search: ImportSearch) async throws -> [String] {
        var run = ImportRun(options: search.options) { false }
        let collected = CollectedLines()
        var troubles: [String] = []
        let store: ImportRun.Store = { collected.store($0) }
        for source in search.sources {
            try await run.importSource(source, store: store) { _ in
            } onError: {
                troubles.append($0.description)
            }
        }
        try await run.finish(store: store) { _ in }
        return collected.bodies + troubles
    }

    private static let line = "[03:41] <alice> hi\n"

    @Test func `an unreadable file is reported with its kind, and in a folder by kind`() throws {
        try write([7, 7], to: "msgstore.db.crypt15")
        try write([0x50, 0x4B, 3, 4, 0, 0], to: "letter.docx")
        try write("%PDF-1.7", to: "in/a.pdf")
        for name in ["1.jpg", "2.jpg", "3.jpg", "4.jpg"] { try write([0xFF, 0xD8, 0xFF], to: "in/b/" + name) }
        try write(Self.line, to: "in/2026-11-20.log")
        var found = search("in")
        found.skipUnrecognised()
        #expect(
            (found.summary + found.report.skippedText).replacing(folder.path + "/", with: "") == """
                in/2026-11-20.log: energymech
                1 file skipped (PDF document): in/a.pdf; export the chat as text or JSON instead
                4 files skipped (image): in/b/1.jpg, in/b/2.jpg, in/b/3.jpg and 1 more; messages that name it keep its name\n
                """)
        for (name, kind) in [
            ("msgstore.db.crypt15", "an encrypted WhatsApp backup"), ("letter.docx", "a Word document"),
        ] {
            let printed = Printed()
            var search = ImportSearch(
                options: ImportOptions(zone: .gmt),
                report: ImportReport(isRehearsal: false, output: ImportOutput(print: { printed.add($0) })))
            search.find(folder.path + "/" + name)
            search.report.printErrors()
            #expect(printed.text.contains("\(name): this is \(kind); "), "\(printed.text)")
            #expect(search.sources.isEmpty)
        }
    }

    private static func part(_ text: String) -> String { "2026. 11. 21. 오후 1:01, 민수 : \(text)\n" }

    @Test func `the parts of a KakaoTalk export are one log in the order of their numbers`()
        async throws
    {
        let names = (1...11).map { "Talk_2026.11.22 23:01-\($0).txt" }
        for (index, name) in names.enumerated() {
            let title = index == 0 ? "Talk_2026.11.22 23:01-1.txt\n저장한 날짜 : 2026. 11. 22. 오후 11:01\n\n" : ""
            try write(title + Self.part("\(index + 1)"), to: "in/" + name)
        }
        try write(Self.part("other"), to: "in/Talk_2026.11.23 1:00-2.txt")
        try write(Self.part("alone"), to: "in/chat.txt")
        let parts = (1...11).map(String.init)
        let found = search("in")
        #expect(found.sources.map(\.files.count) == [11, 1, 1])
        #expect(try await bodies(found) == parts + ["other", "alone"])
        #expect(
            found.summary.replacing(folder.path + "/", with: "") == "13 files: kakaotalk\n", "\(found.summary)")
        try ZipFile(names.map { .init($0, try text(of: "in/" + $0)) }).write(to: folder.path + "/talk.zip")
        #expect(try await bodies(search("talk.zip")) == parts)
        #expect(search("talk.zip").summary.hasSuffix("Talk_2026.11.22 23:01-1.txt (11 parts): kakaotalk\n"))
        var given = search()
        for name in names.sorted().reversed() { given.find(folder.path + "/in/" + name) }
        #expect(given.sources.count == 1)
        #expect(try await bodies(given) == parts)
        // A part that is given twice is read twice.
        given.find(folder.path + "/in/" + names[0])
        #expect(given.sources.map(\.files.count) == [11, 1])
    }

    @Test func `text held at the end of a part keeps its own place`() throws {
        var options = ImportOptions(format: KakaoTalkFormat.self, room: "x", zone: .gmt)
        options.me = ["지아"]
        let files = ["Talk_1-1.txt", "Talk_1-2.txt"].map { ImportFile(container: "", name: $0, size: 0) }
        var reader = SourceReader(
            ImportSource(parts: ImportFiles(files), as: KakaoTalkFormat.self), options: options, now: .now())
        reader.begin(files[0])
        var lines = try reader.readChunk(Array("2026. 2. 31. 오후 1:01, 나 : hi".utf8)[...]) + reader.endFile()
        reader.begin(files[1])
        let second =
            "Talk_1-2.txt\n저장한 날짜 : 2026. 11. 22.\n2026. 11. 21. 오후 1:01, 나 : ha\nmore\n2026. 11. 21. 오후 1:02, 나 : ho"
        lines += try reader.readChunk(Array(second.utf8)[...]) + reader.endFile() + reader.finish()
        #expect(
            lines.map { "\($0.place.file):\($0.place.line)" }.dropLast() == [
                "Talk_1-1.txt:1", "Talk_1-2.txt:3", "Talk_1-2.txt:3", "Talk_1-2.txt:5",
            ])
        let messages = lines.compactMap { if case .message(let message) = $0.content { message } else { nil } }
        #expect(messages.map(\.body) == ["ha\nmore", "ho"])
        #expect(messages.map(\.sender) == ["나", "나"] && messages.allSatisfy { $0.own == .word })
        let owners = lines.compactMap { if case .owner(let owner) = $0.content { owner } else { nil } }
        #expect(owners.map { "\($0.names) \($0.word ?? "")" } == ["[\"지아\"] 나"])
    }
}
