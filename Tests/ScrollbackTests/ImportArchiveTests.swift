import ChatModel
import Foundation
import LogFormats
import Rendering
import TestSupport
import Testing
import TextEncodings

@testable import Importing

/// ZIP archives, which are read like folders.
struct ImportArchiveTests: ImportFolder {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `an archive is read like its folder, and its names lead nowhere`() async throws {
        let inner = Array("[03:42] <bob> 안녕\n".utf8)
        var stored = ZipFile.Entry("b/2026-11-21.log", inner)
        stored.isDeflated = false
        var large = ZipFile.Entry("c/2026-11-22.log", Self.line)
        large.isLarge = true
        let zip = ZipFile([
            stored, .init("b/", ""), .init("../../etc/2026-11-20.log", Self.line), large, .init("x.jpg", [0xFF, 0]),
            .init("__MACOSX/b/2026-11-21.log", Self.line), .init(".DS_Store", "x"),
        ])
        try zip.write(to: folder.path + "/logs.zip")
        let search = search("logs.zip")
        #expect(
            found(search) == [
                "energymech: logs.zip/b/2026-11-21.log", "energymech: logs.zip/c/2026-11-22.log",
                "energymech: logs.zip/etc/2026-11-20.log",
            ])
        #expect(search.sources.first?.files.first?.unpackedPath == folder.path + "/logs/b/2026-11-21.log")
        #expect(search.sources.map(\.size) == [Int64(inner.count), Int64(Self.line.utf8.count), 19])
        #expect(try await read(search).bodies == ["안녕", "hi", "hi"])
        try write(zip.bytes, to: "folder/inner.zip")
        #expect(found(self.search("folder")).first == "energymech: folder/inner.zip/b/2026-11-21.log")
    }

    @Test func `a Windows archive can have backslashes between folders`() async throws {
        let zip = ZipFile([.init("logs\\", ""), .init("logs\\b\\2026-11-21.log", Self.line)])
        try zip.write(to: folder.path + "/x.zip")
        #expect(found(search("x.zip")) == ["energymech: x.zip/logs/b/2026-11-21.log"])
    }

    @Test(arguments: [nil, TextEncoding.cp949])
    func `names in CP949, as Windows writes them, are readable`(encoding: TextEncoding?) throws {
        let names = ["대화/가족 모임.2026-11-20.log", "대화/도서관 친구들.2026-11-21.log"]
        let zip = ZipFile(
            try names.map { name in
                var entry = ZipFile.Entry(name, Self.line)
                entry.nameBytes = try name.encoded(as: "CP949")
                return entry
            })
        try zip.write(to: folder.path + "/x.zip")
        var search = ImportSearch(
            options: ImportOptions(room: "#example", zone: .gmt, encoding: encoding),
            report: ImportReport(isRehearsal: false))
        search.find(folder.path + "/x.zip")
        #expect(found(search) == names.map { "energymech: x.zip/\($0)" })
    }

    @Test func `an unreadable entry is reported, and the others are read`() async throws {
        func entry(_ name: String, _ change: (inout ZipFile.Entry) -> Void) -> ZipFile.Entry {
            var entry = ZipFile.Entry("2006-12-1\(name).log", Self.line)
            change(&entry)
            return entry
        }
        let zip = ZipFile([
            entry("0-good") { _ in },
            entry("1-encrypted") { $0.flags = 1 },
            entry("2-method") { $0.method = 12 },
            entry("3-checksum") { $0.checksum = 7 },
            entry("4-longer") { $0.claimedSize = 3 },
            entry("5-shorter") { $0.claimedSize = 300 },
            entry("6-noise") { ($0.isDeflated, $0.method) = (false, 8) },
            entry("7-good") { _ in },
        ])
        try zip.write(to: folder.path + "/x.zip")
        let search = search("x.zip", format: EnergymechFormat.self)
        let (bodies, troubles) = try await read(search)
        #expect(search.report.troubles == 4)
        #expect(bodies == ["hi", "hi", "hi", "hi"])
        #expect(
            troubles == [
                "x.zip/2006-12-13-checksum.log: checksum differs from the archive's; check that it is complete",
                "x.zip/2006-12-15-shorter.log: ends too early; check that it is complete",
            ])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a damaged archive never traps`() async throws {
        var large = ZipFile.Entry("b/2026-11-21.log", Self.line)
        large.isLarge = true
        for whole in [ZipFile([.init("2026-11-20.log", Self.line), large]).bytes, Packed.gzip(Self.line)] {
            var generator = SeededGenerator(seed: 7)
            for index in whole.indices {
                var bytes = whole
                bytes[index] = UInt8.random(in: 0...255, using: &generator)
                try write(bytes, to: "damaged/2026-11-20.log")
                try write(Array(whole[..<index]), to: "cut/2026-11-20.log")
                for name in ["damaged", "cut"] {
                    let search = search(name + "/2026-11-20.log", format: EnergymechFormat.self)
                    _ = try await read(search)
                }
            }
        }
        #expect(search("cut/2026-11-20.log").report.troubles == 0)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `compressed content is unpacked in pieces of any size`() throws {
        let zeros = [UInt8](repeating: 0x20, count: 30_000_000)
        try ZipFile([.init("bomb", zeros)]).write(to: folder.path + "/bomb.zip")
        var generator = SeededGenerator(seed: 1)
        let noise = (0..<300_000).map { _ in UInt8.random(in: 0...20, using: &generator) }
        try ZipFile([.init("noise", noise)]).write(to: folder.path + "/noise.zip")
        for (name, content) in [("bomb", zeros), ("noise", noise)] {
            var files = FoundFiles()
            try files.addFiles(inArchive: folder.path + "/\(name).zip")
            let file = try files[0].open { false }
            var (bytes, largest) = ([UInt8](), 0)
            while case let more = try file.next(), !more.isEmpty {
                bytes += more
                largest = max(largest, more.count)
            }
            #expect(bytes == content)
            #expect(largest <= 64 * 1024)
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `content over 200 times its compressed size is refused after 64 MiB`() throws {
        try ZipFile([.init("bomb", [UInt8](repeating: 0x20, count: 80 << 20))]).write(to: folder.path + "/bomb.zip")
        var files = FoundFiles()
        try files.addFiles(inArchive: folder.path + "/bomb.zip")
        let file = try files[0].open { false }
        var count = 0
        let error = #expect(throws: ImportError.self) {
            while case let more = try file.next(), !more.isEmpty { count += more.count }
        }
        #expect(error?.reason == "unpacks to more than 200 times its size")
        #expect(count <= 64 << 20)
    }

    @Test func `overlapping files of an archive are named and not read`() throws {
        var zip = ZipFile([.init("a.log", "[06:23] <alice> hi\n"), .init("b.log", "[06:23] <alice> hi\n")])
        zip.entries[1].claimedPlace = 0
        try zip.write(to: folder.path + "/overlap.zip")
        var files = FoundFiles()
        let error = #expect(throws: UnreadableBytes.self) {
            try files.addFiles(inArchive: folder.path + "/overlap.zip")
        }
        #expect(error?.reason == "files a.log and b.log overlap")
    }
}
