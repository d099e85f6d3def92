import ChatModel
import Foundation

@testable import LogFormats

/// Reads an export as the program does: cut, and each piece read in order.
struct Export {
    var parsed: [ParsedLine] = []
    var assumptions: [String] = []
    var hasOwnRooms = false
    var unknownKinds = UnknownKinds()

    var messages: [ImportedMessage] {
        parsed.compactMap { if case .message(let message) = $0 { message } else { nil } }
    }

    var unreadable: [String] {
        parsed.compactMap { if case .unreadable(let reason) = $0 { reason } else { nil } }
    }

    static let seoul = Zone(secondsFromGMT: 9 * 3600) ?? .gmt

    init<Format: LogFormat>(
        _: Format.Type, _ text: String, path: String = "export.json", room: String? = nil, zone: Zone = seoul
    ) throws {
        try self.init(Format.self, files: [(nil, Array(text.utf8))], path: path, room: room, zone: zone)
    }

    /// - Parameter files: With the path that is told; nil where none is.
    init<Format: LogFormat>(
        _: Format.Type, files: [(path: String?, bytes: [UInt8])], path: String = "", room: String? = nil,
        zone: Zone = seoul
    ) throws {
        let beginning = files.first?.bytes.prefix(LogSource.beginningSize) ?? []
        var format = try Format(LogSource(path: path, beginning: Array(beginning), room: room, zone: zone))
        for file in files {
            if let path = file.path { format.begin(file: path) }
            for line in JSONPieces.cut(file.bytes, by: 1000, Format.cutter()) { parsed.append(format.parseLine(line)) }
        }
        parsed.append(format.finish())
        assumptions = format.assumptions
        hasOwnRooms = format.hasOwnRooms
        unknownKinds = format.unknownKinds
    }

    /// The formats that claim the file.
    static func recognising(_ text: String, path: String) -> [String] {
        let beginning = Array(Array(text.utf8).prefix(LogSource.beginningSize))
        let source = LogSource(path: path, beginning: beginning, room: nil, zone: .gmt)
        return Recognition.claims(on: source).map { $0.name }
    }

    static func time(_ text: String) -> Timestamp? { Timestamp(cursor: text) }
}

/// Changes bytes of a sample, for tests that no such change traps or is passed over in silence.
enum Mutation {
    static func of(_ sample: [UInt8], using random: inout SeededRandom) -> [UInt8] {
        var bytes = sample
        for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            let end = min(bytes.count, place + Int.random(in: 1...30, using: &random))
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes.removeSubrange(place..<end)
            case 1: bytes.removeSubrange(end...)
            case 2: bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0...place, using: &random))
            case 3: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 4: bytes[place] = Array("{}[]\",:\\9\n".utf8).randomElement(using: &random) ?? 0
            default:
                let numbers = ["-1e999", "99999999999999999999", "null", "\"\\ud83d\"", "[]", "true"]
                bytes.replaceSubrange(place..<end, with: (numbers.randomElement(using: &random) ?? "").utf8)
            }
        }
        return bytes
    }
}
