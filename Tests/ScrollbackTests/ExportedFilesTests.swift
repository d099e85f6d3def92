import Archive
import ChatModel
import Foundation
import Reading
import Scrollback
import TestSupport
import Testing

@testable import Exporting
@testable import Rendering

/// Exports with the stored files, for people.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct ExportedFilesTests {
    private static let formats = KnownExportFormats.names.filter { $0 != JSONLinesExport.name }

    private func request(_ format: String, title: String? = nil) throws -> ExportRequest {
        ExportRequest(format: try KnownExportFormats.named(format), zone: .gmt, hasFiles: true, title: title)
    }

    private func text(_ files: [String: Data]) -> String {
        files.sorted { $0.key < $1.key }.filter { !$0.key.hasPrefix(CopyName.folder) && !$0.key.hasPrefix("index") }
            .map { String(decoding: $0.value, as: UTF8.self) }.joined()
    }

    /// Messages with files of every fate, and the paths of the copies that an export has.
    private func fixture() async throws -> (ExportFixture, copies: [String]) {
        let fixture = try await ExportFixture()
        let web = "https://example.org"
        try await fixture.send(["\(web)/%EC%82%AC%EC%A7%84%201.png", "\(web)/not-fetched.png", "/none.png"])
        try await fixture.send(["mxc://example.org/AbCdEf", "/a'b \"c\".pdf", "/evil.html"], in: "#다른방")
        // Another file with the name of the first one.
        try await fixture.send(["\(web)/2/%EC%82%AC%EC%A7%84%201.png"])
        let second = SamplePicture.beginning(SamplePicture.png, length: 5000, last: 2)
        try await fixture.fetch("\(web)/%EC%82%AC%EC%A7%84%201.png", SamplePicture.png)
        try await fixture.fetch("\(web)/2/%EC%82%AC%EC%A7%84%201.png", second)
        try await fixture.fetch("mxc://example.org/AbCdEf", SamplePicture.gif)
        try await fixture.fetch("/a'b \"c\".pdf", Array("%PDF-1.7".utf8))
        try await fixture.fetch("/evil.html", SamplePicture.html)
        let copies = try [
            ("사진 1.png", SamplePicture.png), ("사진 1.png", second), ("AbCdEf", SamplePicture.gif),
            ("a'b \"c\".pdf", Array("%PDF-1.7".utf8)), ("evil.html", SamplePicture.html),
        ].map { name, bytes in
            CopyName.path(sha256: try sha256(bytes), name: name, type: PictureType(beginning: bytes))
        }
        try await fixture.fail("/none.png")
        return (fixture, copies)
    }

    private func sha256(_ bytes: [UInt8]) throws -> String {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        try Data(bytes).write(to: URL(filePath: folder.path + "/file"))
        return try #require(try ExportFolder(path: folder.path).digest("file")).sha256
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: formats)
    func `each file is copied under its name, and documents have its path`(format: String) async throws {
        let (fixture, copies) = try await fixture()
        let report = try await fixture.export(HTMLExport.self, to: "out", request: request(format))
        #expect(report.lost == 0)
        let files = try fixture.files(of: "out")
        #expect(files.keys.filter { $0.hasPrefix("files/") }.sorted() == copies.sorted())
        #expect(copies.contains { $0.hasPrefix("files/AbCdEf-") && $0.hasSuffix(".gif") })
        #expect(copies.contains { $0.hasPrefix("files/evil_html-") && $0.hasSuffix(".bin") })
        #expect(try fixture.verification(of: "out").isValid)
        #expect(try fixture.verification(of: "out").otherCount == 0)
        let text = text(files)
        for copy in copies {
            let address = ["html", "markdown"].contains(format) ? HTMLText.address(copy) : copy
            #expect(text.contains("../\(address)"), "\(copy)")
        }
        #expect(text.contains("not-fetched.png") && text.contains(format == "csv" ? "gone" : "not fetched"))
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `an HTML page shows pictures in place, links other files, and loads nothing else`() async throws {
        let (fixture, copies) = try await fixture()
        try await fixture.send(["/a.mp4", "/b.ogg"])
        try await fixture.fetch("/a.mp4", [0])
        try await fixture.fetch("/b.ogg", [1])
        try await fixture.export(HTMLExport.self, to: "out", request: request("html"))
        let pages = try fixture.files(of: "out").filter { $0.key.hasSuffix(".html") && $0.key.contains("/") }
            .map { try StrictHTML(String(decoding: $0.value, as: UTF8.self)) }
        let tags = pages.flatMap(\.tags)
        let pictures = tags.filter { $0.name == "img" }.compactMap { $0.attributes["src"] }
        #expect(
            Set(pictures)
                == Set(
                    copies.filter { !$0.hasSuffix("pdf") && !$0.hasSuffix("bin") }.map { "../" + HTMLText.address($0) })
        )
        #expect(tags.count { $0.name == "video" } == 1 && tags.count { $0.name == "audio" } == 1)
        for tag in tags { #expect(tag.attributes["src"].map { $0.hasPrefix("../files/") } ?? true) }
        let links = tags.filter { $0.name == "a" }.compactMap { $0.attributes["href"] }
        #expect(links.contains { $0.hasPrefix("../files/a%27b%20_c_-") && $0.hasSuffix(".pdf") })
        #expect(!links.contains { $0.hasSuffix(".html") && $0.contains("files/") })
        let policies = tags.compactMap { $0.attributes["http-equiv"] == nil ? nil : $0.attributes["content"] }
        #expect(
            policies.allSatisfy {
                $0.hasPrefix("default-src 'none'; ") && $0.contains("; img-src 'self' file:; media-src 'self' file:;")
            })
        let text = pages.map(\.text).joined()
        #expect(text.contains("none.png (image, gone)"), "\(text)")
    }

    @Test func `an export without files stays the same`() async throws {
        let (fixture, _) = try await fixture()
        try await fixture.export(HTMLExport.self, to: "out")
        let text = text(try fixture.files(of: "out"))
        #expect(!text.contains("<img") && !text.contains("not fetched") && !text.contains("img-src"))
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: formats)
    func `a continued export includes a file that arrived later`(format: String) async throws {
        let (fixture, copies) = try await fixture()
        try await fixture.export(HTMLExport.self, to: "out", request: request(format))
        try await fixture.fetch("https://example.org/not-fetched.png", SamplePicture.gif)
        let report = try await fixture.export(HTMLExport.self, to: "out", request: request(format))
        #expect(report.written == 1 && report.kept == 1)
        try await fixture.export(HTMLExport.self, to: "new", request: request(format))
        #expect(try fixture.files(of: "out") == fixture.files(of: "new"))
        #expect(try fixture.files(of: "out").keys.filter { $0.hasPrefix("files/") }.count == copies.count + 1)
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: formats, [3, 4] as [UInt64])
    func `a continued export with files equals a new one`(format: String, seed: UInt64) async throws {
        let fixture = try await ExportFixture()
        var random = SeededGenerator(seed: seed)
        for round in 0..<3 {
            for _ in 0..<15 { try await fixture.happen(&random) }
            let paths = (0..<4).map { "/\(round)/\($0 % 2)\(["", ".png", ".mp4", ".html"][$0])" }
            try await fixture.send(paths, in: ExportFixture.rooms[round])
            for (index, path) in paths.enumerated() where Bool.random(using: &random) {
                try await fixture.fetch(path, index == 0 ? SamplePicture.gif : [UInt8(index), UInt8(round)])
            }
            try await fixture.export(HTMLExport.self, to: "continued", request: request(format))
            try await fixture.export(HTMLExport.self, to: "new \(round)", request: request(format))
            #expect(try fixture.verification(of: "continued").isValid)
            #expect(try fixture.files(of: "continued") == fixture.files(of: "new \(round)"))
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: formats)
    func `a lost file is counted, and documents mention it until it is back`(
        format: String
    ) async throws {
        let (fixture, _) = try await fixture()
        let stored = try #require(
            try fixture.storedFiles().first { path in
                FileManager.default.contents(atPath: path).map(Array.init) == SamplePicture.gif
            })
        try FileManager.default.moveItem(atPath: stored, toPath: fixture.folder.path + "/kept")
        let report = try await fixture.export(HTMLExport.self, to: "out", request: request(format))
        #expect(report.lost == 1)
        #expect(try fixture.verification(of: "out").isValid)
        let before = text(try fixture.files(of: "out"))
        #expect(!before.contains("files/AbCdEf-"))
        #expect(format == "csv" || before.contains("missing or damaged"))
        try FileManager.default.moveItem(atPath: fixture.folder.path + "/kept", toPath: stored)
        #expect(try await fixture.export(HTMLExport.self, to: "out", request: request(format)).lost == 0)
        #expect(text(try fixture.files(of: "out")).contains("files/AbCdEf-"))
    }

    @Test func `a damaged file is not copied`() async throws {
        let (fixture, copies) = try await fixture()
        for path in try fixture.storedFiles() {
            let bytes = try #require(FileManager.default.contents(atPath: path))
            try Data(bytes.dropLast() + [99]).write(to: URL(filePath: path))
        }
        let report = try await fixture.export(HTMLExport.self, to: "out", request: request("html"))
        #expect(report.lost == copies.count)
        #expect(try fixture.files(of: "out").keys.allSatisfy { !$0.hasPrefix("files/") })
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `only files of the chosen rooms and times are copied`() async throws {
        let (fixture, _) = try await fixture()
        var request = try request("html")
        request.rooms = [try #require(try fixture.archive.reading().rooms().first { $0.name == "#다른방" }?.id)]
        try await fixture.export(HTMLExport.self, to: "room", request: request)
        let names = try fixture.files(of: "room").keys.filter { $0.hasPrefix("files/") }
        #expect(names.count == 3 && !names.contains { $0.contains("사진") }, "\(names)")
        request.rooms = nil
        request.before = MessageID(ExportFixture.start)
        try await fixture.export(HTMLExport.self, to: "time", request: request)
        #expect(try fixture.files(of: "time").keys.allSatisfy { !$0.hasPrefix("files/") })
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: ["html", "jsonl"])
    func `removed content is gone from an export, even after an interruption`(format: String) async throws {
        let (fixture, _) = try await fixture()
        try await fixture.export(HTMLExport.self, to: "out", request: request(format))
        // As if everything in the other rooms had been erased.
        var fewer = try request(format)
        fewer.rooms = [try #require(try fixture.archive.reading().rooms().first { $0.name == "#다른방" }?.id)]
        // The month that stays is written again, which can be interrupted.
        if format == "html" { fewer.title = "title" }
        try await fixture.export(HTMLExport.self, to: "new", request: fewer)
        var (stops, isWhole) = (0, false)
        while !isWhole {
            let name = "stopped \(stops)"
            try FileManager.default.copyItem(
                atPath: fixture.folder.path + "/out", toPath: fixture.folder.path + "/" + name)
            var left = stops
            do {
                try await fixture.export(HTMLExport.self, to: name, request: fewer) {
                    left -= 1
                    return left < 0
                }
                isWhole = true
            } catch is ExportStopped {
                try await fixture.export(HTMLExport.self, to: name, request: fewer)
            }
            #expect(try fixture.files(of: name) == fixture.files(of: "new"), "\(name)")
            stops += 1
        }
        #expect(stops > 3)
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: 0..<4)
    func `no page exceeds its limit with hundreds of copies of any name`(seed: Int) throws {
        var texts = HostileTexts(random: SeededGenerator(seed: UInt64(seed)))
        var settings = try exportSettings()
        var files = ExportedFiles()
        var one = message(String(repeating: "\u{2}'", count: 32 * 1024))
        one.attachments = (0..<400).map { index in
            let hash = String(repeating: "\(index % 10)", count: 64)
            files.copied.updateValue(nil, forKey: hash)
            let name = texts.text() + String(repeating: "'", count: 300) + [".png", ".pdf", ".ogg", ""][index % 4]
            return Attachment(path: name, sha256: hash, size: 1)
        }
        one.reactions = (0..<1000).map { _ in Message.Reaction(text: texts.text(), by: [texts.text()]) }
        settings.files = files
        let pages = exported(HTMLExport.self, [.message(one), .message(one)], settings: settings)
        #expect(pages.allSatisfy { $0.utf8.count <= 1_000_000 })
        for page in pages {
            for tag in try StrictHTML(page).tags where tag.attributes["src"] != nil {
                #expect(tag.attributes["src"]?.contains(/^\.\.\/files\/[A-Za-z0-9._%-]+$/) == true)
            }
        }
    }

    // MARK: Titles

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a title is on the index and on each page, and changing it changes each page`() async throws {
        let (fixture, _) = try await fixture()
        let title = "우리 <가족> & \"친구\""
        try await fixture.export(HTMLExport.self, to: "out", request: request("html", title: title))
        let files = try fixture.files(of: "out").filter { $0.key.hasSuffix(".html") }
        for (path, page) in files {
            #expect(try StrictHTML(String(decoding: page, as: UTF8.self)).text.contains(title), "\(path)")
        }
        let index = String(decoding: try #require(files["index.html"]), as: UTF8.self)
        #expect(index.contains("<title>우리 &lt;가족&gt; &amp; &quot;친구&quot;</title>"))
        #expect(try #require(fixture.verification(of: "out").manifest).header.title == title)
        let same = try await fixture.export(HTMLExport.self, to: "out", request: request("html", title: title))
        #expect(same.written == 0)
        let other = try await fixture.export(HTMLExport.self, to: "out", request: request("html", title: "other"))
        #expect(other.kept == 0)
        try await fixture.export(HTMLExport.self, to: "out", request: request("html", title: ""))
        try await fixture.export(HTMLExport.self, to: "new", request: request("html"))
        #expect(try fixture.files(of: "out") == fixture.files(of: "new"))
        #expect(try #require(fixture.verification(of: "out").manifest).header.title == nil)
    }
}
