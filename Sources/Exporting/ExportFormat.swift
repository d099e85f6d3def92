package import ChatModel
package import Foundation
package import Rendering

/// Writes what was said in one room in one month, as one kind of document.
///
/// A value for one ``ExportUnit``: each of its files is ``begin(part:)``, what ``render(_:)`` gives of its items, ``end(part:hasMore:)``.
/// The same items make the same bytes, wherever and whenever; it holds no more than some messages' worth.
package protocol ExportFormat: Sendable {
    /// As a person calls it.
    static var name: String { get }
    /// Without the dot.
    static var fileExtension: String { get }
    /// Bytes of one file, its beginning and end included; nil where a month is one file whatever its size.
    static var partLimit: Int? { get }
    /// Whether everything is to be in it that the archive has.
    static var isExact: Bool { get }

    init(_ unit: ExportUnit, of export: ExportSettings)

    /// - Parameter part: From 1.
    mutating func begin(part: Int) -> String
    mutating func render(_ item: ExportItem) -> String
    /// - Parameter hasMore: Another part of the same month follows.
    mutating func end(part: Int, hasMore: Bool) -> String

    /// Files beside those of the months, written when all of these are there: an index, a style sheet.
    static func companions(of contents: ExportContents) -> [ExportCompanion]
}

extension ExportFormat {
    package static var partLimit: Int? { nil }
    package static var isExact: Bool { false }
    package static func companions(of contents: ExportContents) -> [ExportCompanion] { [] }
}

/// What an export as a whole is.
package struct ExportSettings: Sendable, Hashable {
    package var account: String
    package var network: String
    /// Of days, months and times of day.
    package var zone: TimeZone
}

/// A month of a room.
package struct ExportUnit: Sendable, Hashable {
    /// The room's number in the archive, and its name today.
    var roomID: Int64
    package var room: String
    /// The folder of the room's files, in the export's: safe in every file system, and another for each room.
    package var folder: String
    package var month: CalendarMonth
    /// The nearest months before and after that have messages; nil where there is none.
    var previous: CalendarMonth?
    package var next: CalendarMonth?

    /// `2026-11.html`, `2026-11.2.html`: in ``folder``.
    package static func fileName(_ month: CalendarMonth, part: Int, fileExtension: String) -> String {
        "\(month)\(part > 1 ? ".\(part)" : "").\(fileExtension)"
    }
}

/// What stands in a month, in order of time.
package enum ExportItem: Sendable, Hashable {
    /// With the names of the time.
    ///
    /// What else its rows tell is there for a format that ``ExportFormat/isExact``.
    case message(Message, exact: ExactMessage? = nil)
    /// Before the first message that is later than its beginning.
    case gap(Gap)
}

/// What an export has, once all months are written.
package struct ExportContents: Sendable, Hashable {
    package struct Month: Sendable, Hashable {
        var month: CalendarMonth
        /// Names of its files in the room's folder, in order.
        var files: [String]
        var messages: Int
        var first: MessageID
        var last: MessageID
    }

    package struct Room: Sendable, Hashable {
        /// The archive's number of it.
        package var id: Int64
        package var name: String
        package var folder: String
        /// In order of time.
        var months: [Month]
        package var gaps: [Gap]

        package init(id: Int64, name: String, folder: String, months: [Month], gaps: [Gap]) {
            self.id = id
            self.name = name
            self.folder = folder
            self.months = months
            self.gaps = gaps
        }
    }

    package var settings: ExportSettings
    /// As `scrollback rooms` lists them: by name, conversations behind the others.
    package var rooms: [Room]
}

/// Every kind of document that can be written.
package enum KnownExportFormats {
    package static let all: [any ExportFormat.Type] = [
        JSONLinesExport.self, TextExport.self, CSVExport.self, HTMLExport.self, MarkdownExport.self,
    ]
}

/// A file of an export that is no month's.
package struct ExportCompanion: Sendable, Hashable {
    /// In the export's folder.
    package var path: String
    var contents: String
}
