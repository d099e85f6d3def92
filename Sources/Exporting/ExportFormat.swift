import Bytes
package import ChatModel
import FoundationEssentials
package import Rendering

/// A renderer of the messages of one room and one month as one kind of document.
///
/// A value renders one ``ExportUnit``. Each file consists of ``begin(part:)``, the results of ``render(_:)`` or
/// ``write(_:to:)``, and ``end(part:hasMore:)``. The same items always give the same bytes. A format holds no more than a few messages in
/// memory.
package protocol ExportFormat: Sendable {
    /// The name that people use: `scrollback export --format NAME`.
    static var name: String { get }
    /// The extension of its files, without the dot.
    static var fileExtension: String { get }
    /// The most bytes of one file, its beginning and end included; nil if a month is one file of any size.
    static var partLimit: Int? { get }
    /// True if the export must contain everything that the archive has.
    static var isExact: Bool { get }
    /// True if documents have a title that can be chosen.
    static var hasTitle: Bool { get }

    /// Creates a renderer for a month of a room.
    init(_ unit: ExportUnit, of export: ExportSettings)

    /// Returns the beginning of a file.
    ///
    /// - Parameter part: The number of the file within the month, from 1.
    mutating func begin(part: Int) -> String
    /// Returns the text of an item; empty for an item that the format leaves out.
    mutating func render(_ item: ExportItem) -> String
    /// Appends what ``render(_:)`` returns to bytes. A format whose exports have millions of messages writes them without
    /// texts between.
    mutating func write(_ item: ExportItem, to bytes: inout [UInt8])
    /// Returns the end of a file.
    ///
    /// - Parameter hasMore: True if another part of the same month follows.
    mutating func end(part: Int, hasMore: Bool) -> String

    /// Returns further files, such as an index or a style sheet, which are written after all months.
    static func companions(of contents: ExportContents) -> [ExportCompanion]
}

extension ExportFormat {
    package static var partLimit: Int? { nil }
    package static var isExact: Bool { false }
    package static var hasTitle: Bool { false }
    package static func companions(of contents: ExportContents) -> [ExportCompanion] { [] }

    package mutating func write(_ item: ExportItem, to bytes: inout [UInt8]) { bytes.append(utf8: render(item)) }
}

/// The settings of the whole export.
package struct ExportSettings: Sendable, Hashable {
    package var account: String
    package var network: String
    /// The zone of days, months and times of day.
    package var zone: Zone
    /// The title that was chosen: an untrusted text; nil for none.
    package var title: String?
    /// The copies of stored files, for a format of documents that name them; nil for an export without files.
    package var files: ExportedFiles?

    /// The networks of the accounts, with `imported` for accounts that have none.
    var networks: String {
        network.components(separatedBy: ", ").map { $0 == AccountIdentity.importedNetwork ? "imported" : $0 }
            .joined(separator: ", ")
    }

    /// Returns the origin of the chats, to follow the account's name: ` on irc`, `, imported chats`, or
    /// ` on irc, and imported chats` for several accounts.
    var origin: String {
        let all = network.components(separatedBy: ", ")
        let live = all.filter { $0 != AccountIdentity.importedNetwork }.joined(separator: ", ")
        guard live != network else { return " on \(network)" }
        return live.isEmpty ? ", imported chats" : " on \(live), and imported chats"
    }
}

/// A month of a room.
package struct ExportUnit: Sendable, Hashable {
    /// The room's number in the archive.
    var roomID: Int64
    /// The room's present name.
    package var room: String
    /// The room's kind.
    var kind = RoomReference.Kind.channel
    /// The folder of the room's files within the export: safe in every file system, and unique.
    package var folder: String
    package var month: CalendarMonth
    /// The nearest earlier month with messages; nil if there is none.
    var previous: CalendarMonth?
    /// The nearest later month with messages; nil if there is none.
    package var next: CalendarMonth?

    /// Returns the name of a file in ``folder``: `2026-11.html` for the first part, `2026-11.2.html` for the second.
    package static func fileName(_ month: CalendarMonth, part: Int, fileExtension: String) -> String {
        "\(month)\(part > 1 ? ".\(part)" : "").\(fileExtension)"
    }
}

/// An item of a month. Items come in order of time.
package enum ExportItem: Sendable, Hashable {
    /// A message with the names of its time.
    ///
    /// `exact` has the further facts for a format with ``ExportFormat/isExact``; nil for others.
    case message(Message, exact: ExactMessage? = nil)
    /// A gap in coverage. It comes before the first message after its beginning.
    case gap(Gap)
}

/// The contents of an export, once all months are written.
package struct ExportContents: Sendable, Hashable {
    package struct Month: Sendable, Hashable {
        var month: CalendarMonth
        /// The names of its files in the room's folder, in order.
        var files: [String]
        var messages: Int
        var first: MessageID
        var last: MessageID
    }

    package struct Room: Sendable, Hashable {
        /// The room's account in an index over several accounts; nil in an export of one account.
        var account: String?
        /// The room's number in the archive.
        package var id: Int64
        package var name: String
        package var folder: String
        /// The months with messages, in order of time.
        var months: [Month]
        package var gaps: [Gap]

        package init(
            account: String? = nil, id: Int64, name: String, folder: String, months: [Month], gaps: [Gap]
        ) {
            (self.account, self.id, self.name, self.folder) = (account, id, name, folder)
            (self.months, self.gaps) = (months, gaps)
        }
    }

    package var settings: ExportSettings
    /// The rooms in the order of `scrollback rooms`: by name, conversations after the others.
    package var rooms: [Room]
}

/// All formats of exports.
package enum KnownExportFormats {
    package static let all: [any ExportFormat.Type] = [
        JSONLinesExport.self, TextExport.self, CSVExport.self, HTMLExport.self, MarkdownExport.self,
    ]
}

/// A file of an export without messages of a month.
package struct ExportCompanion: Sendable, Hashable {
    /// The file's path in the export's folder.
    package var path: String
    var contents: String
}
