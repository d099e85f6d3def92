import Archive
import ChatModel
import Checks
import Foundation
import LogFormats
import TestSupport
import Testing
import TextEncodings
import Writing

@testable import Importing

/// The samples of all text logs, as an import stores them.
@Suite(.disabled(if: QuickCheck.isRunning))
struct SampleImportTests {
    private let folder: TemporaryFolder
    private let archive: Archive
    private static let account = AccountIdentity(name: "old", network: "log")
    private static let now = Timestamp(microseconds: 1_796_000_000_000_000)

    init() throws {
        folder = try TemporaryFolder()
        archive = Archive(folder: folder.path + "/data")
    }

    private func store(_ bytes: ArraySlice<UInt8>, of sample: FormatSample) async throws -> ImportTally {
        let format = try #require(KnownLogFormats.all.first { $0.name == sample.format })
        let file = ImportFile(container: "", name: sample.path, size: 0)
        let options = ImportOptions(format: format, room: "#example", zone: .gmt, folding: .rfc1459)
        var reader = SourceReader(ImportSource(file, as: format), options: options, now: Self.now)
        reader.begin(file)
        let lines = try reader.readChunk(bytes) + reader.endFile() + reader.finish()
        let writer = try await archive.openWriter(Self.account)
        let tally = try await writer.importLines(lines.map(\.content), at: Self.now)
        try await writer.close()
        return tally
    }

    @Test func `lines in Emacs's own encoding are decoded`() throws {
        let sample = try #require(FormatSample.of("erc").first { !$0.bytes.isEmpty && !$0.bytes[...].isUTF8 })
        let format = try #require(KnownLogFormats.all.first { $0.name == "erc" })
        let file = ImportFile(container: "", name: sample.path, size: 0)
        let options = ImportOptions(format: format, room: nil, zone: .gmt, folding: .rfc1459)
        var reader = SourceReader(ImportSource(file, as: format), options: options, now: Self.now)
        reader.begin(file)
        let lines = try reader.readChunk(sample.bytes[...]) + reader.endFile() + reader.finish()
        let texts = lines.compactMap { if case .message(let message) = $0.content { message.body } else { nil } }
        #expect(texts == ["한국"])
        #expect(reader.undecoded.messages == 0)
    }

    /// The samples of logs that give a date.
    private static let logs = FormatSample.all.filter { sample in
        guard let format = KnownLogFormats.all.first(where: { $0.name == sample.format }), format.isLineByLine,
            !format.isOwnExport, !(format is any DatabaseFormat.Type)
        else { return false }
        let beginning = Array(sample.bytes.prefix(LogSource.beginningSize))
        return (try? format.init(LogSource(path: sample.path, beginning: beginning, room: "#example", zone: .gmt)))
            != nil
    }

    @Test(arguments: logs)
    func `each sample has no invalid line, and is stored once`(sample: FormatSample) async throws {
        let whole = try await store(sample.bytes[...], of: sample)
        #expect(whole.failed == 0)
        let again = try await store(sample.bytes[...], of: sample)
        #expect(again.new == 0 && again.changed == 0 && again.newRecords == 0 && again.known == whole.new)
    }

    @Test(arguments: logs)
    func `a log that grows gets only its new lines`(sample: FormatSample) async throws {
        let end = sample.bytes.dropLast().lastIndex(of: 0x0A) ?? sample.bytes.endIndex - 1
        let first = try await store(sample.bytes[...end], of: sample)
        let second = try await store(sample.bytes[...], of: sample)
        #expect(second.known == first.new)
        #expect(try await store(sample.bytes[...], of: sample) == ImportTally(known: first.new + second.new))
        #expect(try archive.check(accounts: ["old"]).flatMap(\.problems).isEmpty)
    }
}
