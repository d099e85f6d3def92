import ChatModel
import Foundation
import LogFormats
import TextEncodings

@testable import Importing

extension FuzzTarget {
    /// Logs and exports of other programs. The first line has the format's name and the file's path; the file follows.
    ///
    /// Every format that claims the file reads it, and the named one.
    static let logs = FuzzTarget("logs", limit: 8192) { input in
        let file = LogFile(input)
        let recognised = KnownLogFormats.all.filter { $0.recognises(file.source) }
        let parts = Parts(file.bytes, longest: 200).parts
        for format in KnownLogFormats.all where recognised.contains(where: { $0 == format }) || format.name == file.name
        {
            _ = (format.doubt(about: file.source), format.account(in: file.source))
            _ = (format.accountName(in: file.source), format.part(of: file.source.name))
            let whole = Reading(format, [file.bytes], file.source)
            try requireEqual(Reading(format, parts, file.source), whole, "\(format.name) of a split file")
            try checkOrder(whole.messages, format)
        }
        _ = (UnsupportedKind.find(name: file.source.name, beginning: file.bytes), TableProposal(file.source))
    }

    /// A room's messages of a format without zones are in order, except for those with an implausible time, which affect no
    /// others.
    private static func checkOrder(_ messages: [ImportedMessage], _ format: any LogFormat.Type) throws {
        guard format.hasLocalTimes, format.cutter() is LineCutter else { return }
        var lasts: [String: Timestamp] = [:]
        for message in messages {
            let place = message.place ?? message.time
            try require(message.sender != "" && message.time <= place, "\(format.name): place of \(message)")
            guard place.isPlausible(at: .now()) else { continue }
            if let last = lasts[message.room] {
                try require(last <= place, "\(format.name): \(message) is before its predecessor")
            }
            lasts[message.room] = place
        }
    }

    /// The same files as an import reads them, in any encoding.
    static let imports = FuzzTarget("import", limit: 8192) { input in
        let file = LogFile(input)
        guard let format = KnownLogFormats.all.first(where: { $0.name == file.name }) else { return }
        let encoding = FileEncoding(ofBeginning: file.bytes, given: nil)
        let whole = try Imported(format, [file.bytes], file.source.path, encoding)
        let split = try Imported(format, Parts(file.bytes, longest: 200).parts, file.source.path, encoding)
        try requireEqual(split, whole, "an import of a split file")
    }
}

/// A file with its format's name and its path, which the first line of an input has.
private struct LogFile {
    let name: String
    let source: LogSource
    let bytes: [UInt8]

    init(_ input: [UInt8]) {
        let (line, rest) = input.firstLine
        let words = line.text.split(separator: " ", maxSplits: 1)
        (name, bytes) = (words.first.map(String.init) ?? "", rest)
        source = LogSource(
            path: words.dropFirst().first.map(String.init) ?? "",
            beginning: Array(rest.prefix(LogSource.beginningSize)),
            room: "#example", zone: Zone(identifier: "Europe/Berlin") ?? .gmt)
    }
}

/// The result of reading a file by a format.
private struct Reading: Equatable, CustomStringConvertible {
    private var parsed: [ParsedLine] = []
    private var assumptions: [String] = []
    private var failure: LogSourceError?

    init(_ format: any LogFormat.Type, _ parts: [[UInt8]], _ source: LogSource) {
        do {
            var reader = try format.init(source)
            var cutter = format.cutter()
            if format.part(of: source.name) != nil || format.files(among: [source.path]) != nil {
                reader.begin(file: source.path)
            }
            for part in parts { cutter.cutLines(part[...]) { parsed.append(reader.parseLine($0)) } }
            cutter.finish { parsed.append(reader.parseLine($0)) }
            parsed.append(reader.finish())
            assumptions = reader.assumptions
        } catch {
            failure = error
        }
    }

    var messages: [ImportedMessage] {
        parsed.compactMap { if case .message(let message) = $0 { message } else { nil } }
    }

    var description: String { "\(parsed)" }
}

/// The lines that an import makes of a file.
private struct Imported: Equatable {
    private var lines: [ImportedLine] = []
    private var rest: [[ImportedMessage]] = []

    init(_ format: any LogFormat.Type, _ parts: [[UInt8]], _ path: String, _ encoding: FileEncoding) throws {
        let file = ImportFile(container: "", name: path, size: 0)
        let options = ImportOptions(format: format, room: "#example", zone: .gmt, me: ["me"], folding: .rfc1459)
        var reader = SourceReader(
            ImportSource(file, as: format), options: options, now: Timestamp(microseconds: 1_795_000_000_000_000))
        reader.begin(file, in: encoding)
        var found: [SourceReader.Line] = []
        do {
            for part in parts { found += try reader.readChunk(part[...]) }
            found += try reader.endFile() + reader.finish()
        } catch is ImportError {}
        (lines, rest) = (found.map(\.content), found.map(\.rest))
        _ = (reader.assumptions, reader.unnamedOwner, reader.hasOwner)
    }
}
