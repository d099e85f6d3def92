package import ChatModel
package import Foundation

/// A kind of log or export: what its parts mean, one after the other, with what those before have told.
///
/// A value that reads one source from its beginning. Pure: it opens nothing and knows no clock.
package protocol LogFormat: Sendable {
    /// As a person calls it.
    static var name: String { get }
    /// Bytes that a line, or a piece of JSON, may have; the rest of a longer one is dropped, and it is not understood.
    static var maximumLine: Int { get }
    /// Whether its times are a zone's, so that the zone has to be told.
    static var hasLocalTimes: Bool { get }

    /// Whether a file is of this kind, by its name and beginning.
    static func recognises(_ source: LogSource) -> Bool
    /// Returns what in the beginning of a file that it recognises another program writes; nil where it is sure.
    static func doubt(about source: LogSource) -> String?
    /// Cuts a file into what ``read(_:)`` takes: lines unless it says otherwise.
    static func cutter() -> any SourceCutter
    /// Of a folder that is one export of several files, the positions of those that it reads, in its order; nil where each
    /// file is a source by itself.
    ///
    /// - Parameter paths: Of all files of a folder or an archive, without the folder's own; its own files first, then those
    ///   of each folder in it. There may be millions: each is made where it is asked for.
    static func files(among paths: some RandomAccessCollection<String>) -> [Int]?
    /// Whose archive a source is of, where its beginning tells.
    static func account(in source: LogSource) -> AccountRecord?

    init(_ source: LogSource) throws(LogSourceError)

    /// Another file of the same export begins; only where ``files(among:)`` gives any, and then also for the first.
    mutating func begin(file path: String)
    mutating func read(_ line: LogLine) -> ParsedLine
    /// The source has ended: what was held back until then.
    mutating func finish() -> ParsedLine
    /// The first line of what is held back; what is read next, once it is another or none, is of it. Nil while nothing is.
    var heldLine: LogLine? { get }
    /// What had to be assumed to read it, for people; each begins with a small letter and has no full stop.
    var assumptions: [String] { get }
}

extension LogFormat {
    package static func doubt(about source: LogSource) -> String? { nil }
    package static func cutter() -> any SourceCutter { LineCutter(maximumLine: maximumLine) }
    package static func files(among paths: some RandomAccessCollection<String>) -> [Int]? { nil }
    package mutating func begin(file path: String) {}
    package mutating func finish() -> ParsedLine { .nothing }
    package var heldLine: LogLine? { nil }
    package var assumptions: [String] { [] }
    package static func account(in source: LogSource) -> AccountRecord? { nil }

    /// Its parts are lines, and no pieces of JSON.
    package static var isLineByLine: Bool { cutter() is LineCutter }
}

/// Cuts a file into parts, however its bytes come, and keeps no more than one part's worth of them.
package protocol SourceCutter: Sendable {
    /// Gives the parts that end within these bytes.
    mutating func read(_ bytes: ArraySlice<UInt8>, _ body: (LogLine) throws -> Void) rethrows
    /// The file has ended.
    mutating func finish(_ body: (LogLine) throws -> Void) rethrows
}

/// Every kind of log that can be read. The first that recognises a file has it.
package enum KnownLogFormats {
    package static let all: [any LogFormat.Type] = [
        DiscordFormat.self, TelegramFormat.self, SlackFormat.self, JSONLinesFormat.self, IrssiFormat.self,
        WeeChatFormat.self, ZNCFormat.self, EnergymechFormat.self, WhatsAppFormat.self,
    ]
}

/// What is known of a source before its first line is read.
package struct LogSource: Sendable {
    /// The file's path, as given or found in a folder or an archive; empty for a stream.
    package var path: String
    /// Its first bytes, at most ``beginningSize``.
    package var beginning: [UInt8]
    /// The room that a person says it is of.
    package var room: String?
    package var zone: TimeZone
    /// When it is read: what is more than a day later can't be true.
    package var now: Timestamp

    /// Enough for some hundred lines, of which one tells the room.
    package static let beginningSize = 64 * 1024

    /// - Parameter now: By default no time is too late.
    package init(
        path: String, beginning: [UInt8], room: String?, zone: TimeZone, now: Timestamp = Timestamp(microseconds: .max)
    ) {
        self.path = path
        self.beginning = beginning
        self.room = room
        self.zone = zone
        self.now = now
    }

    /// Without its folders.
    package var name: String { path.split(separator: "/").last.map(String.init) ?? "" }

    /// The names of the folders that it is in, the innermost last.
    package var folders: [String] { path.split(separator: "/").dropLast().map(String.init) }
}

/// Why a source as a whole can't be read.
package enum LogSourceError: Error, Hashable {
    case noDate
    case noRoom
}

/// What a line is found to be.
package enum ParsedLine: Sendable, Hashable {
    case message(ImportedMessage)
    /// What an archive's own full export tells besides messages.
    case record(ArchiveRecord)
    /// Nothing was said: an empty line.
    case nothing
    /// Why, for people.
    case unreadable(String)
}
