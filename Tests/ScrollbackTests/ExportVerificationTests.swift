import ChatModel
import Foundation
import TestSupport
import Testing

@testable import Exporting
@testable import Rendering

@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct ExportVerificationTests {
    /// An export with some files, and the path of one.
    private func exported() async throws -> (fixture: ExportFixture, file: String, manifest: String) {
        let fixture = try await ExportFixture()
        try await fixture.say(lines: 0..<6)
        try await fixture.export(HTMLExport.self, to: "out")
        let path = fixture.folder.path + "/out/"
        let file = try #require(fixture.verification(of: "out").manifest?.files.first?.path)
        return (fixture, path + file, path + ManifestLine.fileName)
    }

    private func change(_ path: String, _ change: (inout [UInt8]) -> Void) throws {
        let url = URL(filePath: path)
        var bytes = Array(try Data(contentsOf: url))
        change(&bytes)
        try Data(bytes).write(to: url)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a missing, longer or different file is named, and rewritten by the next export`()
        async throws
    {
        let changes: [(String, (String) throws -> Void)] = [
            ("it is missing", { try FileManager.default.removeItem(atPath: $0) }),
            ("bytes, not", { try change($0) { $0.append(0x20) } }),
            ("it was changed after the export", { try change($0) { $0[$0.count / 2] ^= 1 } }),
        ]
        for (fault, change) in changes {
            let (fixture, file, _) = try await exported()
            let before = try fixture.files(of: "out")
            try change(file)
            let verification = try fixture.verification(of: "out")
            #expect(verification.faultCount == 1)
            #expect(verification.faults.first?.contains(fault) ?? false)
            try? FileManager.default.removeItem(atPath: file)
            try await fixture.export(HTMLExport.self, to: "out")
            #expect(try fixture.verification(of: "out").isValid)
            #expect(try fixture.files(of: "out") == before)
        }
    }

    @Test func `an export without its trailer is invalid`() async throws {
        let (fixture, _, manifest) = try await exported()
        try change(manifest) { bytes in
            let last = bytes.dropLast().lastIndex(of: UInt8(ascii: "\n")) ?? 0
            bytes.removeSubrange((last + 1)...)
        }
        #expect(
            try fixture.verification(of: "out").faults == [
                "manifest.jsonl: it has no trailer, so the export is not finished"
            ])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `any changed byte of the manifest is found`() async throws {
        let (fixture, _, manifest) = try await exported()
        let bytes = Array(try Data(contentsOf: URL(filePath: manifest)))
        for place in stride(from: 0, to: bytes.count, by: 13) {
            var other = bytes
            other[place] ^= 1
            try Data(other).write(to: URL(filePath: manifest))
            let isValid = (try? fixture.verification(of: "out").isValid) ?? false
            #expect(!isValid, "byte \(place)")
        }
    }

    @Test func `a manifest with paths outside the folder is refused, and nothing outside changes`() async throws {
        let (fixture, _, manifest) = try await exported()
        try change(manifest) { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            bytes = Array(text.replacingOccurrences(of: "\"path\":\"", with: "\"path\":\"../").utf8)
        }
        let verification = try fixture.verification(of: "out")
        #expect(verification.faults.first?.contains("leads out of the folder") ?? false)
    }

    @Test(arguments: ["", "/etc/passwd", "a/../../b", "..", "a//b", "./a", "a\0b"])
    func `paths outside a folder are refused`(path: String) {
        #expect(!ExportFolder.isInside(path))
    }

    @Test func `other files in the folder are named`() async throws {
        let (fixture, _, _) = try await exported()
        try Data("mine".utf8).write(to: URL(filePath: fixture.folder.path + "/out/notes.txt"))
        let verification = try fixture.verification(of: "out")
        #expect(verification.isValid)
        #expect(verification.others == ["notes.txt"])
    }

    @Test func `a verification in JSON has the documented keys`() async throws {
        let (fixture, _, _) = try await exported()
        let folder = ExportFolder(path: fixture.folder.path + "/out")
        let result = ExportVerification.Result(try fixture.verification(of: "out"), in: folder)
        let keys = JSONValue(result).members.map(\.key)
        #expect(keys == ExportVerification.Result.listing.keys)
        let sections = try document("docs/json.md").components(separatedBy: "\n## ")
        let section = try #require(sections.first { $0.hasPrefix("An export's check\n") })
        #expect(section.matches(of: /\n\| `([a-z_]+)` \|/).map { String($0.1) } == keys)
    }
}
