import ChatModel
import Foundation

@testable import LogFormats

/// What a format makes of a text.
struct LogReading {
    /// Of every line, and of the end.
    private(set) var parsed: [ParsedLine] = []
    private(set) var assumptions: [String] = []
    private(set) var roomBeforeDate: String?

    init(
        _ format: any LogFormat.Type, _ bytes: [UInt8], path: String, room: String? = nil, zone: String = "GMT",
        choices: SourceChoices = SourceChoices(), now: Timestamp = Timestamp(microseconds: .max), rooms: [String] = []
    ) throws {
        var source = Self.source(bytes, path: path, room: room, zone: zone)
        (source.choices, source.now, source.rooms) = (choices, now, AccountRooms(rooms).written(by: format))
        if var survey = format.survey(now: now) {
            var cutter = format.cutter()
            cutter.cutLines(bytes[...]) { survey.inspectLine($0.bytes) }
            cutter.finish { survey.inspectLine($0.bytes) }
            source.survey = survey
        }
        var reader = try format.init(source)
        var cutter = format.cutter()
        cutter.cutLines(bytes[...]) { parsed.append(reader.parseLine($0)) }
        cutter.finish { parsed.append(reader.parseLine($0)) }
        parsed.append(reader.finish())
        assumptions = reader.assumptions
        roomBeforeDate = reader.roomBeforeDate
    }

    init(
        _ format: any LogFormat.Type, _ text: String, path: String, room: String? = nil, zone: String = "GMT",
        choices: SourceChoices = SourceChoices(), now: Timestamp = Timestamp(microseconds: .max), rooms: [String] = []
    ) throws {
        try self.init(
            format, Array(text.utf8), path: path, room: room, zone: zone, choices: choices, now: now, rooms: rooms)
    }

    static func source(_ bytes: [UInt8], path: String, room: String? = nil, zone: String = "GMT") -> LogSource {
        LogSource(
            path: path, beginning: Array(bytes.prefix(LogSource.beginningSize)), room: room,
            zone: Zone(identifier: zone) ?? .gmt)
    }

    var messages: [ImportedMessage] {
        parsed.compactMap { if case .message(let message) = $0 { message } else { nil } }
    }

    var unreadable: [String] {
        parsed.compactMap { if case .unreadable(let reason) = $0 { reason } else { nil } }
    }

    /// `alice: hi`, `join alice`, `system: words`, and so on.
    var told: [String] { messages.map(\.told) }

    /// `21T06:23:11`, or `21T06:23:11 after 21T06:24:00`.
    var times: [String] {
        messages.map { message in
            let after = message.place.map { " after \($0.short)" } ?? ""
            return message.time.short + after
        }
    }
}

extension Timestamp {
    var short: String { String(description.dropFirst(8).prefix(11)) }
}

extension ImportedMessage {
    var told: String {
        let body = body.map { ": \($0)" } ?? ""
        let kind = kind == .message ? "" : kind.rawValue + (sender == nil ? "" : " ")
        return kind + (sender ?? "") + body
    }
}

extension ImportedMessage {
    /// True for a conversation of two.
    var isDirect: Bool { roomKind == .direct }
}
