import Bytes
import ChatModel

/// The SQLite database of slackdump: people and rooms first, and Slack's own message objects after them.
package struct SlackdumpFormat: DatabaseFormat {
    package static let name = "slackdump"
    package static let programs = "slackdump (its SQLite database)"
    /// 1 MiB of Slack's message object, and 4 KiB around it.
    package static let maximumLine = SlackFormat.maximumLine + 4096

    /// `internal/chunk/backend/dbase/repository/migrations`.
    package static let schemas = [
        DatabaseSchema(
            tables: [
                "message": ["id", "chunk_id", "channel_id", "ts", "data"],
                "channel": ["id", "chunk_id", "data"],
                "s_user": ["id", "chunk_id", "data"],
            ],
            queries: ["S_USER", "CHANNEL"].map { table in
                DatabaseSchema.Query(table: table, columns: [("'\(table)'", "table"), ("m.DATA", "data")])
            } + [
                DatabaseSchema.Query(
                    table: "MESSAGE",
                    columns: [("'MESSAGE'", "table"), ("m.CHANNEL_ID", "channel"), ("m.DATA", "data")])
            ])
    ]
    package static let otherTables: Set = ["workspace"]

    package static func header(of file: some DatabaseFile) throws -> DatabaseHeader {
        let hasTeam = file.columns(of: "workspace")?.contains("team") ?? false
        let sql = (hasTeam ? file.number(of: "workspace") : nil).map {
            "SELECT TEAM FROM WORKSPACE ORDER BY \($0) DESC LIMIT 1"
        }
        let rows = try sql.map { try file.texts($0) } ?? []
        return DatabaseHeader(database: name, workspace: rows.first?.first ?? nil)
    }

    private var messages = SlackMessages()

    package static func accountName(in source: LogSource) -> String? { DatabaseHeader(source)?.workspace }

    /// Returns the database of a folder that slackdump wrote. The folder's other files came with messages.
    package static func files(among paths: some RandomAccessCollection<String>) -> [Int]? {
        let own = paths.prefix { !$0.utf8.contains(Byte.slash) }
        return own.enumerated().first { $0.element == "slackdump.sqlite" }.map { [$0.offset] }
    }

    package static func saysNothing(_ path: some StringProtocol) -> Bool { SlackFormat.saysNothing(path) }

    package init(_ source: LogSource) throws(LogSourceError) {
        guard Self.recognises(source) else {
            throw .unusable(reason: "it is not an SQLite database of \(Self.name)", hint: "check its format")
        }
    }

    package var assumptions: [String] { messages.assumptions(zone: "GMT") }
    package var unknownKinds: UnknownKinds { messages.unknownKinds }

    /// The beginning of a row, before Slack's object.
    private struct Row: Decodable {
        var table: String?
        var channel: String?
        var error: String?
    }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        guard line.number > 1, !line.bytes.isBlank else { return .nothing }
        do {
            guard !line.isCut, let (row, data) = Self.parts(line) else {
                let row = try JSONPiece<Row>(line, limit: Self.maximumLine).value
                throw UnreadablePiece(row.error ?? "it has no \"data\"")
            }
            switch row.table {
            case "S_USER": messages.directory.addUser(try messages.value(data, SlackDirectory.User.self))
            case "CHANNEL": messages.directory.addRoom(try messages.value(data, SlackDirectory.Conversation.self))
            case "MESSAGE":
                let room = row.channel.map { messages.directory.room(withID: $0) }
                return .message(try messages.message(data, in: room))
            default: throw UnreadablePiece("it has no table")
            }
            return .nothing
        } catch {
            return .unreadable(UnreadablePiece(error).reason)
        }
    }

    /// Returns a row without Slack's object, which is its last value, and that object; nil for a row without one.
    private static func parts(_ line: LogLine) -> (Row, LogLine)? {
        guard let (before, data) = line.bytes.parted(by: #","data":"#), data.last == Byte.objectEnd,
            let row = try? JSONPiece<Row>(
                LogLine(number: line.number, bytes: before + [Byte.objectEnd]), limit: maximumLine
            ).value
        else { return nil }
        return (row, LogLine(number: line.number, bytes: data.dropLast()))
    }
}
