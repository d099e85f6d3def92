import Archive
import ChatModel
import Foundation
import Reading
import TestSupport
import Testing

@testable import Exporting
@testable import Rendering

/// One HTML document with its pictures inside.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct SingleDocumentTests {
    private func fixture(_ files: (path: String, bytes: [UInt8])...) async throws -> ExportFixture {
        let fixture = try await ExportFixture()
        for file in files {
            try await fixture.send([file.path])
            try await fixture.fetch(file.path, file.bytes)
        }
        return fixture
    }

    private func room(_ name: String, _ fixture: ExportFixture) async throws -> Int64 {
        try #require(try fixture.archive.reading().rooms().first { $0.name == name }?.id)
    }

    /// Checks that a document loads and links to nothing except its own places and the links in people's texts.
    @discardableResult
    private func closed(_ text: String) throws -> StrictHTML {
        let html = try StrictHTML(text)
        let ids = html.tags.compactMap { $0.attributes["id"] }
        #expect(Set(ids).count == ids.count)
        for tag in html.tags {
            if let source = tag.attributes["src"] {
                #expect(tag.name == "img")
                #expect(source.wholeMatch(of: /data:image\/(png|jpeg|gif|webp|avif);base64,[A-Za-z0-9+\/]+=*/) != nil)
            }
            guard let link = tag.attributes["href"] else { continue }
            let isOwn =
                link.hasPrefix("#") && (ids.contains(String(link.dropFirst())) || tag.attributes["class"] == "t")
            #expect(
                isOwn || BodyLink.isLink(link) && tag.attributes["rel"] == "noopener noreferrer nofollow", "\(link)")
        }
        #expect(!text.utf8.contains(0))
        return html
    }

    @Test func `a room is one self-contained document with its pictures, months and facts`() async throws {
        let fixture = try await fixture(("/사진.png", SamplePicture.png), ("mxc://example.org/A", SamplePicture.gif))
        try await fixture.say("see https://example.org/x <b>&\"'")
        fixture.pass(.seconds(86_400 * 40))
        try await fixture.say("later")
        let (text, report) = try await fixture.document(rooms: [try await room("#example", fixture)])
        let html = try closed(text)
        #expect(report.messages == 4 && report.pictures.count == 2)
        #expect(report.bytes == Int64(text.utf8.count))
        let pictures = html.tags.filter { $0.name == "img" }
        #expect(
            pictures.map { $0.attributes["src"] }
                == [SamplePicture.url("png", SamplePicture.png), SamplePicture.url("gif", SamplePicture.gif)])
        #expect(pictures.map { $0.attributes["alt"] } == ["사진.png", "A"])
        #expect(text.contains("<title>#example</title>") && text.contains("<h1><bdi lang=\"\">#example</bdi></h1>"))
        #expect(html.text.contains("January 2026\nMarch 2026\n"))
        #expect(html.text.contains("4 messages, 2026-01-30 to 2026-03-11, 2 pictures (5.0 kB)\n"), "\(html.text)")
        let policy = html.tags.first { $0.attributes["http-equiv"] != nil }?.attributes["content"] ?? ""
        #expect(policy.hasPrefix("default-src 'none'; ") && policy.contains("; img-src data:; base-uri 'none'"))
        #expect(!html.tags.contains { ["script", "link", "iframe"].contains($0.name) })
    }

    @Test func `only real pictures are embedded, whatever their names`() async throws {
        let fixture = try await fixture(
            ("/page.png", SamplePicture.html), ("/drawing.svg", SamplePicture.svg), ("/movie.mp4", [1, 2, 3]),
            ("/picture.html", SamplePicture.png))
        try await fixture.send(["/missing.png"])
        let (text, report) = try await fixture.document()
        let html = try closed(text)
        #expect(html.tags.filter { $0.name == "img" }.map { $0.attributes["alt"] } == ["picture.html"])
        #expect(report.leftOut.others.count == 3 && report.leftOut.absent.count == 1)
        #expect(html.text.contains("page.png (image, 40 B, left out)"), "\(html.text)")
        #expect(html.text.contains("missing.png (image, not fetched)"))
        #expect(html.text.contains("Left out: 3 files of other kinds than pictures (114 B)\n"), "\(html.text)")
        #expect(html.text.contains("Left out: 1 file that the archive does not have\n"))
        #expect(!text.contains("alert(1)") && !text.contains("svg+xml"))
    }

    @Test func `pictures over a limit are left out, counted and named in place`() async throws {
        let fixture = try await fixture(
            ("/1.png", SamplePicture.png), ("/2.gif", SamplePicture.gif),
            ("/3.png", SamplePicture.beginning(SamplePicture.png, length: 5000, last: 3)), ("/4.gif", SamplePicture.gif)
        )
        let first = try await fixture.document(limits: PictureLimits(each: 5000, total: 1_000_000))
        #expect(first.report.leftOut.tooLarge.count == 2 && first.report.pictures.count == 2)
        #expect(first.text.contains("(image, 5.0 kB, left out: larger than 5.0 kB)"))
        let second = try await fixture.document(limits: PictureLimits(each: 1_000_000, total: 5200))
        #expect(second.report.leftOut.overTotal.count == 1 && second.report.pictures.count == 3)
        #expect(try closed(second.text).text.contains("Left out: 1 picture beyond 5.2 kB in all (5.0 kB)\n"))
        let none = try await fixture.document(limits: PictureLimits(each: 0, total: 0))
        #expect(none.report.pictures.count == 0 && !none.text.contains("<img"))
        for document in [first.text, second.text, none.text] { try closed(document) }
    }

    @Test func `a huge picture is left out by size without being read`() async throws {
        let fixture = try await fixture(("/1.png", SamplePicture.png))
        let size: UInt64 = 50_000_000_000
        // A sparse file, which takes no space.
        let file = try FileHandle(forWritingTo: URL(filePath: try #require(try fixture.storedFiles().first)))
        try file.truncate(atOffset: size)
        try file.close()
        let (text, report) = try await fixture.document()
        #expect(report.leftOut.tooLarge.count == 1 && report.leftOut.tooLarge.bytes == Int64(size))
        #expect(try closed(text).text.contains("Left out: 1 picture larger than 5.0 MB (50.0 GB)\n"))
    }

    @Test func `a missing and a damaged picture are left out and counted`() async throws {
        let fixture = try await fixture(("/1.png", SamplePicture.png), ("/2.gif", SamplePicture.gif))
        for path in try fixture.storedFiles() {
            let bytes = try #require(FileManager.default.contents(atPath: path))
            if bytes.count < 1000 {
                try FileManager.default.removeItem(atPath: path)
            } else {
                try Data(bytes.dropLast() + [99]).write(to: URL(filePath: path))
            }
        }
        let (text, report) = try await fixture.document()
        #expect(report.leftOut.lost.count == 2)
        #expect(try closed(text).text.contains("Left out: 2 files, missing or damaged in the archive (5.0 kB)\n"))
    }

    @Test func `rooms follow each other with their own days, and the contents link to them`() async throws {
        let fixture = try await ExportFixture()
        try await fixture.say(lines: 0..<9)
        let (text, report) = try await fixture.document(title: "우리 <채팅>")
        let html = try closed(text)
        #expect(report.messages == 9)
        #expect(text.contains("<title>우리 &lt;채팅&gt;</title>"))
        let headings = text.matches(of: /<h2 class="chat" id="(r[0-9]+)"><bdi>([^<]*)<\/bdi>/)
        #expect(Set(headings.map { String($0.2) }) == Set(ExportFixture.rooms))
        for heading in headings { #expect(text.contains("<a href=\"#\(heading.1)\"><bdi>")) }
        #expect((0..<9).allSatisfy { html.text.contains("line \($0)") })
    }

    @Test func `an empty room shows what was removed`() async throws {
        let fixture = try await ExportFixture()
        try await fixture.say(lines: 0..<9)
        try await fixture.removeAll()
        let all = try await fixture.document()
        let one = try await fixture.document(rooms: [try await room("#다른방", fixture)])
        for (text, removed) in [(all.text, 9), (one.text, 3)] {
            let shown = try closed(text).text
            #expect(
                shown.contains("3 messages of ") && shown.contains(" expired on ")
                    && shown.contains("0 messages, \(removed) removed"))
            #expect(!shown.contains("No messages"), "\(shown)")
        }
        try await fixture.close()
    }

    @Test func `a document without messages says so`() async throws {
        let fixture = try await ExportFixture()
        let all = try await fixture.document()
        let one = try await fixture.document(rooms: [try await room("#다른방", fixture)])
        for (text, report) in [all, one] {
            #expect(try closed(text).text.contains("No messages"))
            #expect(report.messages == 0)
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: 0..<4)
    func `a document has only the program's tags, whatever the messages and file names`(
        seed: Int
    ) async throws {
        var texts = HostileTexts(random: SeededGenerator(seed: UInt64(seed)))
        let fixture = try await ExportFixture()
        for index in 0..<20 {
            try await fixture.say(texts.text(upTo: 8) + "\u{0}" + String(repeating: "a", count: 64) + "\u{0}")
            let path = "/\(index)/" + texts.text().replacing("\u{0}", with: "") + ".png"
            try await fixture.send([path])
            try await fixture.fetch(path, SamplePicture.beginning(SamplePicture.gif, length: 100, last: UInt8(index)))
        }
        let (text, report) = try await fixture.document(title: texts.text())
        let html = try closed(text)
        #expect(report.pictures.count == 20 && html.tags.count { $0.name == "img" } == 20)
    }

    @Test func `an earlier document is replaced completely, and another file is not`() async throws {
        let fixture = try await fixture(("/1.png", SamplePicture.png))
        let first = try await fixture.document()
        #expect(try await fixture.document().text == first.text)
        let path = fixture.folder.path + "/one.html"
        try "<!DOCTYPE html>\n<html lang=\"en\">\n<p>mine</p>".write(toFile: path, atomically: true, encoding: .utf8)
        await #expect(throws: ExportError.self) { _ = try await fixture.document() }
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("mine"))
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        await #expect(throws: ExportError.self) { _ = try await fixture.document() }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path).sorted() == ["data", "one.html"])
    }

    @Test func `a stopped document leaves the earlier one`() async throws {
        let fixture = try await fixture(("/1.png", SamplePicture.png))
        let earlier = try await fixture.document().text
        try await fixture.say("more")
        let document = SingleDocument(
            source: try AccountExport(of: "demo", in: fixture.archive.reading()),
            request: fixture.request(HTMLExport.self), limits: PictureLimits(), isStopped: { true }, progress: { _ in })
        let path = fixture.folder.path + "/one.html"
        #expect(throws: ExportStopped.self) { try document.write(to: path, mode: ExportFolder.ownerOnly) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == earlier)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path).sorted() == ["data", "one.html"])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a long room and a huge picture are written in small parts`() async throws {
        let huge = SamplePicture.beginning(SamplePicture.png, length: 3_000_000)
        let fixture = try await fixture(("/huge.png", huge))
        try await fixture.say(lines: 0..<6000)
        var (largest, bytes) = (0, [UInt8]())
        let document = SingleDocument(
            source: try AccountExport(of: "demo", in: fixture.archive.reading()),
            request: fixture.request(HTMLExport.self), limits: PictureLimits(), isStopped: { false }, progress: { _ in }
        )
        let report = try document.perform { part in
            largest = max(largest, part.count)
            bytes += part
        }
        #expect(report.messages == 6001 && report.bytes == Int64(bytes.count))
        #expect(largest <= 2 * 256 * 1024 + 4096)
        #expect(Data(bytes).range(of: Data(SamplePicture.url("png", huge).utf8)) != nil)
    }
}
