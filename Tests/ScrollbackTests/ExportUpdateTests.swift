import Archive
import ChatModel
import Foundation
import Reading
import Scrollback
import TestSupport
import Testing

@testable import Exporting

/// Exports that are updated after messages moved or went away, and after interruptions.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct ExportUpdateTests {
    private static let formats = KnownExportFormats.names

    // MARK: Merges, bridges and erased rooms

    /// Two rooms with messages of three people in two months.
    private func fixture() async throws -> ExportFixture {
        let fixture = try await ExportFixture()
        for _ in 0..<2 {
            for room in ["#example", "#다른방"] {
                for name in ["alice", "alice_", "bob"] {
                    try await fixture.send([], in: room, by: name, "from \(name)")
                }
            }
            try await fixture.send([], in: "#example", by: "relay", "<carol> over the bridge")
            fixture.pass(.seconds(40 * 86_400))
        }
        return fixture
    }

    private func expectUpdated(_ fixture: ExportFixture, _ name: String, after change: String) async throws {
        let format = try KnownExportFormats.named(name)
        try await fixture.export(format, to: "updated")
        try await fixture.export(format, to: "after \(change)")
        #expect(try fixture.verification(of: "updated").isValid)
        #expect(try fixture.files(of: "updated") == fixture.files(of: "after \(change)"), "\(name) after \(change)")
    }

    private func user(_ name: String, in archive: Archive) async throws -> Int64 {
        try #require(try archive.reading().users(scope: .accounts(["demo"])).first { $0.name == name }?.id)
    }

    private func room(_ name: String, in archive: Archive) async throws -> Int64 {
        try #require(try archive.reading().rooms().first { $0.name == name }?.id)
    }

    private func people(in fixture: ExportFixture) async throws -> Merging {
        Merging(
            .people, from: try await user("alice_", in: fixture.archive),
            into: try await user("alice", in: fixture.archive))
    }

    private func rooms(in fixture: ExportFixture) async throws -> Merging {
        // Two rooms that the account listens to can't be merged.
        try await fixture.leave("#다른방")
        return Merging(
            .rooms, from: try await room("#다른방", in: fixture.archive),
            into: try await room("#example", in: fixture.archive))
    }

    private func merge(_ request: Merging, in fixture: ExportFixture) async throws {
        var place: MergingPlace?
        repeat {
            place = try await fixture.writer.merge(request, from: place, at: fixture.time).next
        } while place != nil
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: formats, [Merging.Kind.people, .rooms])
    func `an updated export follows a merge and its undoing`(
        format: String, kind: Merging.Kind
    ) async throws {
        let fixture = try await fixture()
        try await expectUpdated(fixture, format, after: "nothing")
        let request = try await kind == .people ? people(in: fixture) : rooms(in: fixture)
        try await merge(request, in: fixture)
        try await expectUpdated(fixture, format, after: "merge")
        try await merge(Merging(kind, from: request.from, into: request.into, undoes: true), in: fixture)
        try await expectUpdated(fixture, format, after: "undoing")
        try await fixture.close()
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: formats)
    func `an updated export shows bridged messages by author, until the bridge is undone`(
        format: String
    ) async throws {
        let fixture = try await fixture()
        try await expectUpdated(fixture, format, after: "nothing")
        let bot = try await user("relay", in: fixture.archive)
        for undoes in [false, true] {
            let request = Bridging(
                bot: bot, name: "relay", pattern: try BridgePattern("<{nick}> {text}"), undoes: undoes)
            var place: MergingPlace?
            repeat {
                place = try await fixture.writer.bridge(request, from: place, at: fixture.time).next
            } while place != nil
            try await expectUpdated(fixture, format, after: undoes ? "undoing" : "bridge")
        }
        try await fixture.close()
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `an updated export has the present keys of people, also in months without a change`() async throws {
        let fixture = try await fixture()
        try await expectUpdated(fixture, "jsonl", after: "nothing")
        try await fixture.rename("bob", to: "robert")
        try await expectUpdated(fixture, "jsonl", after: "another key")
        // The person who had the key before has none any more.
        try await fixture.rename("alice_", to: "alice")
        try await expectUpdated(fixture, "jsonl", after: "a taken key")
        try await fixture.close()
    }

    private func erase(_ name: String, from fixture: ExportFixture) async throws {
        let number = try await room(name, in: fixture.archive)
        var place: ErasingPlace?
        repeat {
            place = try await fixture.writer.retention.erase(room: number, from: place, at: fixture.time).next
        } while place != nil
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: formats)
    func `an updated export lacks an erased room, even after an interrupted update`(
        format: String
    ) async throws {
        let fixture = try await fixture()
        let exported = try KnownExportFormats.named(format)
        try await fixture.export(exported, to: "updated")
        // The interrupted update must write all months again, so it lists none, and it wrote none.
        try await merge(people(in: fixture), in: fixture)
        var checks = 0
        await #expect(throws: ExportStopped.self) {
            try await fixture.export(exported, to: "updated") {
                checks += 1
                return checks > 1
            }
        }
        try await erase("#다른방", from: fixture)
        try await expectUpdated(fixture, format, after: "erasing")
        #expect(try fixture.verification(of: "updated").otherCount == 0)
        try await fixture.close()
    }

    // MARK: Leftovers

    @Test(.disabled(if: QuickCheck.isRunning))
    func `parts of a longer month are removed when an interrupted shorter one is continued`() async throws {
        let fixture = try await ExportFixture()
        for index in 0..<40 { try await fixture.say("\(index) " + String(repeating: "word ", count: 12_000)) }
        let middle = fixture.time
        for index in 0..<40 { try await fixture.say("\(index) " + String(repeating: "word ", count: 12_000)) }
        try await fixture.export(HTMLExport.self, to: "out")
        #expect(try fixture.files(of: "out").keys.contains("#example/2026-01.4.html"))
        var shorter = fixture.request(HTMLExport.self)
        // Another title writes the month again.
        (shorter.before, shorter.title) = (MessageID(middle), "title")
        var checks = 0
        await #expect(throws: ExportStopped.self) {
            try await fixture.export(HTMLExport.self, to: "out", request: shorter) {
                checks += 1
                return checks > 0
            }
        }
        try await fixture.export(HTMLExport.self, to: "out", request: shorter)
        try await fixture.export(HTMLExport.self, to: "new", request: shorter)
        #expect(try fixture.files(of: "out") == fixture.files(of: "new"))
        try await fixture.close()
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: formats)
    func `an update removes only what a kill left`(format: String) async throws {
        let exported = try KnownExportFormats.named(format)
        let ending = exported.fileExtension
        let fixture = try await ExportFixture()
        try await fixture.say("one")
        try await fixture.export(exported, to: "out")
        let own = [
            "#gone/2026-01.\(ending)", "#gone/2026-01.2.\(ending)", "#example/2026-01.\(ending).part",
            "index.7.\(ending)", "#gone/index.\(ending)", "files/사진-0123456789abcdef.png",
            "files/사진-0123456789abcdef.png.part", "attachments/ab/\(String(repeating: "0", count: 62))",
        ]
        let others = [
            "notes.\(ending)", "#example/2026-01 notes.\(ending)", "2026-01.\(ending)", "files/photo.png",
            "attachments/notes", "other/manifest.jsonl", "other/#example/2026-01.\(ending)",
        ]
        for path in own + others {
            let url = URL(filePath: "\(fixture.folder.path)/out/\(path)")
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("left".utf8).write(to: url)
        }
        try await fixture.say("two")
        try await fixture.export(exported, to: "out")
        let left = Set(try fixture.files(of: "out").filter { $0.value == Data("left".utf8) }.keys)
        #expect(left == Set(others))
        try await fixture.close()
    }
}
