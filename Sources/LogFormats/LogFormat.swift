package import ChatModel
package import Foundation

/// A kind of log: what its lines mean, one after the other, with what the lines before have told.
///
/// A value that reads one source from its beginning. Pure: it opens nothing and knows no clock.
package protocol LogFormat: Sendable {
    /// As a person calls it.
    static var name: String { get }
    /// Bytes that a line may have; the rest of a longer one is dropped, and it is not understood.
    static var maximumLine: Int { get }
    /// Whether its times are a zone's, so that the zone has to be told.
    static var hasLocalTimes: Bool { get }

    init(_ source: LogSource) throws(LogSourceError)

    mutating func read(_ line: LogLine) -> ParsedLine
}

/// Every kind of log that can be read.
package enum KnownLogFormats {
    package static let all: [any LogFormat.Type] = [EnergymechFormat.self, JSONLinesFormat.self]
}

/// What is known of a source before its first line is read.
package struct LogSource: Sendable {
    /// The file's name without its folders; empty for a stream.
    package var name: String
    /// Its first bytes, at most ``beginningSize``.
    package var beginning: [UInt8]
    /// The room that a person says it is of.
    package var room: String?
    package var zone: TimeZone

    /// Enough for some hundred lines, of which one tells the room.
    package static let beginningSize = 64 * 1024

    package init(name: String, beginning: [UInt8], room: String?, zone: TimeZone) {
        self.name = name
        self.beginning = beginning
        self.room = room
        self.zone = zone
    }
}

/// Why a source as a whole can't be read.
package enum LogSourceError: Error, Hashable {
    case noDate
    case noRoom
}

/// What a line is found to be.
package enum ParsedLine: Sendable, Hashable {
    case message(ImportedMessage)
    /// Nothing was said: an empty line.
    case nothing
    /// Why, for people.
    case unreadable(String)
}
