package import ChatModel
package import Foundation

/// A format of logs or exports. Reads one source from its beginning, part by part; a part's meaning may depend on those
/// before it.
///
/// Pure: it opens no file and reads no clock.
package protocol LogFormat: Sendable {
    /// The name that people use: `scrollback import NAME FILE`.
    static var name: String { get }
    /// The most bytes of a line, or of a piece of JSON. The rest of a longer one is dropped, and it is reported as
    /// unreadable.
    static var maximumLine: Int { get }
    /// True when its times may lack a zone, so that the caller must give one.
    static var hasLocalTimes: Bool { get }

    /// Returns whether a file has this format, judged by its name and beginning.
    static func recognises(_ source: LogSource) -> Bool
    /// Returns the trait by which a recognised file may be another program's, for people; nil when the format is
    /// certain.
    static func doubt(about source: LogSource) -> String?
    /// Returns the cutter that makes the parts for ``read(_:)``; by default it cuts lines.
    static func cutter() -> any SourceCutter
    /// Returns the positions of the files that are read, in their order, when a folder is one export of several files;
    /// nil when each file is a source of its own.
    ///
    ///
    /// - Parameter paths: The paths of all files in a folder or an archive, relative to it; its own files first, then
    ///   those of each folder in it. There may be millions: each path is made when it is asked for.
    static func files(among paths: some RandomAccessCollection<String>) -> [Int]?
    /// Returns the account that a source is an archive of, if its beginning says so.
    static func account(in source: LogSource) -> AccountRecord?

    /// - Throws: ``LogSourceError`` when a room or a date is needed and can't be found.
    init(_ source: LogSource) throws(LogSourceError)

    /// Begins another file of the same export. Called only when ``files(among:)`` returned some, and then for the first
    /// one too.
    mutating func begin(file path: String)
    /// Reads the next part. A message that may continue is held back, so the result may belong to a part before this
    /// one; see ``heldLine``.
    mutating func read(_ line: LogLine) -> ParsedLine
    /// Ends the source, and returns the message that was held back.
    mutating func finish() -> ParsedLine
    /// The first line of the message that is held back; nil when there is none. Once this has changed, the next result
    /// belongs to the former line.
    var heldLine: LogLine? { get }
    /// The assumptions that the reading needed, for people; each begins in lower case and has no full stop.
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

    /// True when the parts are lines, false when they are pieces of JSON.
    package static var isLineByLine: Bool { cutter() is LineCutter }
}

/// Cuts a file that comes in any chunks into parts. Keeps at most one part in memory.
package protocol SourceCutter: Sendable {
    /// Passes on the parts that end within these bytes.
    mutating func read(_ bytes: ArraySlice<UInt8>, _ body: (LogLine) throws -> Void) rethrows
    /// Ends the file, and passes on its last part.
    mutating func finish(_ body: (LogLine) throws -> Void) rethrows
}

/// All formats that can be read. The first one that recognises a file gets it.
package enum KnownLogFormats {
    /// In the order in which they are tried: the more specific first.
    package static let all: [any LogFormat.Type] = [
        DiscordFormat.self, TelegramFormat.self, SlackFormat.self, JSONLinesFormat.self, IrssiFormat.self,
        WeeChatFormat.self, ZNCFormat.self, EnergymechFormat.self, WhatsAppFormat.self,
    ]
}

/// The facts about a source before its first line is read.
package struct LogSource: Sendable {
    /// The file's path, as given or found in a folder or an archive; empty for a stream.
    package var path: String
    /// Its first bytes, at most ``beginningSize``.
    package var beginning: [UInt8]
    /// The room that a person named for it.
    package var room: String?
    /// The zone of times without one of their own.
    package var zone: TimeZone
    /// The time of the import: anything more than a day later is implausible.
    package var now: Timestamp

    /// 64 KiB: some hundred lines, of which one names the room.
    package static let beginningSize = 64 * 1024

    /// - Parameter now: By default no time is too late.
    package init(
        path: String, beginning: [UInt8], room: String?, zone: TimeZone, now: Timestamp = Timestamp(microseconds: .max)
    ) {
        (self.path, self.beginning, self.room, self.zone, self.now) = (path, beginning, room, zone, now)
    }

    /// The file's name, without its folders.
    package var name: String { path.split(separator: "/").last.map(String.init) ?? "" }

    /// The names of the folders in the path, the innermost last.
    package var folders: [String] { path.split(separator: "/").dropLast().map(String.init) }
}

/// The reason why a source as a whole can't be read.
package enum LogSourceError: Error, Hashable {
    case noDate
    case noRoom
}

/// The meaning of a line.
package enum ParsedLine: Sendable, Hashable {
    case message(ImportedMessage)
    /// A record of a full export that is no message.
    case record(ArchiveRecord)
    /// An empty line, or one that belongs to a message that is held back.
    case nothing
    /// A part that can't be read, with the reason for people.
    case unreadable(String)
}
