import Bytes
import ChatModel

/// The JSON that Element writes for "Export chat": the events of a Matrix room.
package struct ElementFormat: LogFormat {
    package static let name = "element"
    package static let programs = "Element (JSON)"
    /// 1 MiB: an event has at most 64 KiB, and the facts that a server adds to it.
    package static let maximumLine = 1024 * 1024
    package static let hasLocalTimes = false

    private var messages: ElementMessages

    // MARK: - Recognition

    package static func recognises(_ source: LogSource) -> Bool {
        let places = ["room_name", "exported_by", "export_date", "messages[].event_id"]
        let found = Set(JSONPieceCutter.pieces(of: source.beginning, at: places).map(\.place))
        return found.contains("room_name") && found.count > 1
    }

    package static func cutter() -> any SourceCutter {
        JSONPieceCutter(places: ["room_name", "messages[]"], maximumPiece: maximumLine)
    }

    package init(_ source: LogSource) throws(LogSourceError) {
        messages = ElementMessages(givenRoom: source.room?.withoutNUL)
    }

    package var assumptions: [String] { messages.assumptions }

    package var unknownKinds: UnknownKinds { messages.unknownKinds }

    // MARK: - Reading

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        do throws(UnreadablePiece) {
            guard line.place == "room_name" else {
                return try messages.parse(ElementEvent(JSONValue(object: line, limit: Self.maximumLine)))
            }
            let name = try JSONValue(line, limit: Self.maximumLine)
            messages.room = name.isNull ? nil : ExportText.name(try name.requiredText())
            return .nothing
        } catch {
            return .unreadable(error.reason)
        }
    }
}
