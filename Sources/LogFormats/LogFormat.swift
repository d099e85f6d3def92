package import ChatModel

/// A format of logs or exports. Reads one source from its beginning, part by part. The meaning of a part may depend on
/// the parts before it.
///
/// A format opens no file and reads no clock.
package protocol LogFormat: Sendable {
    /// The name that people use: `scrollback import NAME FILE`.
    static var name: String { get }
    /// The limit of bytes in a line, or in a piece of JSON. A longer one is cut and reported as unreadable.
    static var maximumLine: Int { get }
    /// True if its times may lack a zone, so that the caller must give one.
    static var hasLocalTimes: Bool { get }

    /// True if its files are always in Unicode, as JSON is (RFC 8259 §8.1), so that no other encoding is tried. False
    /// by default for formats with lines. Files of the other formats are decoded line by line before they are cut.
    static var isAlwaysUTF8: Bool { get }
    /// True if the format decodes its lines itself, and flags the messages that it can't decode. False by default.
    static var decodesLines: Bool { get }

    /// The programs that write it, for people and the documentation: `irssi, Limnoria`.
    static var programs: String { get }

    /// Returns true if a file may have this format, judged by its name and beginning. A test compares every sample with
    /// every format: ``Recognition`` must find exactly one.
    static func recognises(_ source: LogSource) -> Bool
    /// Which format has a file that several recognise.
    static var precedence: Precedence { get }
    /// Returns true for a file's name that only the format's program writes.
    static func isOwnName(_ name: String) -> Bool
    /// Returns the reason why another program may have written a recognised file, for people; nil if the format is
    /// certain.
    static func doubt(about source: LogSource) -> String?
    /// Returns the cutter of the parts for ``parseLine(_:)``. The default one cuts lines.
    static func cutter() -> any SourceCutter
    /// Returns the positions of the files to read, in their order, if a folder is one export of several files; nil if
    /// each file is a separate source. A position may come twice in a row, if the format needs the file's end before
    /// its beginning.
    ///
    /// - Parameter paths: The paths of all files in a folder or an archive, relative to it; the folder's own files
    ///   first, and the files of its subfolders after them. There may be millions, so each path is created on demand.
    static func files(among paths: some RandomAccessCollection<String>) -> [Int]?
    /// Returns true for a file that every such folder has and that has no messages, such as a style sheet.
    ///
    /// - Parameter path: The file's path, relative to the folder.
    static func saysNothing(_ path: some StringProtocol) -> Bool
    /// Returns true if a file of this format has the program's own messages, and no chat, judged by the file's name.
    static func isProgramsOwn(_ name: String) -> Bool
    /// Returns the name of the file that the program writes beside a file, with the same messages and more facts; nil if
    /// there is none. If the folder has it and it ``isFuller(_:than:)``, the file itself is left out.
    static func fullerFile(beside name: String) -> String?
    /// Returns true if the file of ``fullerFile(beside:)`` has the messages of a source, judged by their beginnings.
    static func isFuller(_ file: LogSource, than source: LogSource) -> Bool
    /// Returns the log to which a file belongs as a part, and the part's number, judged by the file's name; nil if each
    /// file is a whole log. The parts in one folder are one source, in the order of their numbers.
    static func part(of name: String) -> (log: String, number: Int)?
    /// Returns the account of a full export, if the source's beginning has it; nil otherwise.
    static func account(in source: LogSource) -> AccountRecord?

    /// Returns the account, or the network, that the source's path or beginning names; nil if there is none.
    static func accountName(in source: LogSource) -> String?
    /// Returns the forms that a room's name may have in the names of the program's files, in any case, such as `#mix_ed` for
    /// `#Mix/ed`. Empty if the program does not alter names, or if other programs can undo it (`%2F`).
    static func namesInFiles(of room: String) -> [String]
    /// True if the logs are of IRC, so that ``accountName(in:)`` is a network's name.
    static var isOfIRC: Bool { get }
    /// True if a message has the name that its sender had at its time, because the program writes each message when it
    /// comes. False for exports, in which a person may have a new name in old messages. By default true for IRC.
    static var keepsNames: Bool { get }
    /// True for Scrollback's own exports, which have the exact name of their account.
    static var isOwnExport: Bool { get }
    /// True if the order of day, month and year may be open, so that the user decides (``SourceChoices/dateOrder``).
    static var leavesDateOrderOpen: Bool { get }
    /// True if a source may have several networks, of which the user names one (``SourceChoices/network``).
    static var hasNetworks: Bool { get }
    /// Returns the networks of a source from which the user chooses one, by the names for ``SourceChoices/network``; empty
    /// for a format without a choice.
    static func networks(in source: LogSource) -> [String]

    /// The senders that stand for the account's own person, such as `나`; empty if the sources name everybody.
    static var ownerWords: [String] { get }

    /// True if the sources are exports that a person made with their own app, which does not mark their messages.
    static var hidesOwner: Bool { get }

    /// Returns an empty survey, if the format needs facts from all lines of a source before it reads the first one; nil
    /// otherwise. The survey of a pipe has only the beginning.
    ///
    /// - Parameter now: The time of the import.
    static func survey(now: Timestamp) -> (any LogSurvey)?

    /// - Throws: ``LogSourceError`` if a room or a date is needed and can't be found.
    init(_ source: LogSource) throws(LogSourceError)

    /// Begins a file of the same source. Called only if ``files(among:)`` returned files, or ``part(of:)`` a part; also
    /// for the first one.
    mutating func begin(file path: String)
    /// Parses the next part. A message that may continue is held back, so the result may belong to a part before this
    /// one; see ``heldLine``.
    mutating func parseLine(_ line: LogLine) -> ParsedLine
    /// Ends a file of the source, and returns the message that was held back.
    mutating func finish() -> ParsedLine
    /// The first line of the message that is held back; nil if there is none. After this has changed, the next result
    /// belongs to the former line.
    var heldLine: LogLine? { get }
    /// True if the source has several rooms, which keep their own names, whatever room the user gave. False by default.
    var hasOwnRooms: Bool { get }
    /// The assumptions that the reading needed, for people; each begins in lower case and has no full stop.
    var assumptions: [String] { get }
    /// The messages whose content is left out because its kind is unknown. None by default.
    var unknownKinds: UnknownKinds { get }
    /// The room, if the end of the file's name was read as a date and not as a part of the room: `#example` for
    /// `#example.11-27.log`; nil otherwise. Many files may have the same room.
    var roomBeforeDate: String? { get }
    /// True if this source has its owner's own name, so that a word of ``ownerWords`` is the name of somebody else.
    var namesOwner: Bool { get }
    /// The number of lines that were read as text of the message above, but begin like a message in another form.
    var doubtfulLines: Int { get }
}

extension LogFormat {
    package static var isAlwaysUTF8: Bool { !isLineByLine }
    package static var decodesLines: Bool { false }
    package static var precedence: Precedence { .own }
    package static func isOwnName(_ name: String) -> Bool { false }
    package static var isOwnExport: Bool { false }
    package static var leavesDateOrderOpen: Bool { false }
    package static func doubt(about source: LogSource) -> String? { nil }
    package static func cutter() -> any SourceCutter { LineCutter(maximumLine: maximumLine) }
    package static func files(among paths: some RandomAccessCollection<String>) -> [Int]? { nil }
    package static func saysNothing(_ path: some StringProtocol) -> Bool { false }
    package static func isProgramsOwn(_ name: String) -> Bool { false }
    package static func fullerFile(beside name: String) -> String? { nil }
    package static func isFuller(_ file: LogSource, than source: LogSource) -> Bool { true }
    package static func part(of name: String) -> (log: String, number: Int)? { nil }
    package mutating func begin(file path: String) {}
    package mutating func finish() -> ParsedLine { .nothing }
    package var heldLine: LogLine? { nil }
    package var hasOwnRooms: Bool { false }
    package var assumptions: [String] { [] }
    package var unknownKinds: UnknownKinds { UnknownKinds() }
    package var roomBeforeDate: String? { nil }
    package var namesOwner: Bool { false }
    package var doubtfulLines: Int { 0 }
    package static func survey(now: Timestamp) -> (any LogSurvey)? { nil }
    package static func account(in source: LogSource) -> AccountRecord? { nil }
    package static func accountName(in source: LogSource) -> String? { nil }
    package static var isOfIRC: Bool { false }
    package static var keepsNames: Bool { isOfIRC }
    package static func namesInFiles(of room: String) -> [String] { [] }
    package static var hasNetworks: Bool { false }
    package static func networks(in source: LogSource) -> [String] { [] }
    package static var ownerWords: [String] { [] }
    package static var hidesOwner: Bool { false }

    /// True if the parts are lines, false when they are pieces of JSON.
    package static var isLineByLine: Bool { cutter() is LineCutter }
}

/// Facts that a format collects from the lines of a source before it reads the source.
package protocol LogSurvey: Sendable {
    mutating func inspectLine(_ line: ArraySlice<UInt8>)
    /// True if further lines change nothing.
    var isComplete: Bool { get }
}

/// A cutter of files, which come in any chunks, into parts. It keeps at most one part in memory.
package protocol SourceCutter: Sendable {
    /// Calls the body with each part that ends within these bytes.
    mutating func cutLines(_ bytes: ArraySlice<UInt8>, _ body: (LogLine) throws -> Void) rethrows
    /// Ends the file, and calls the body with its last part.
    mutating func finish(_ body: (LogLine) throws -> Void) rethrows
}

/// The facts about a source before its first line is read.
package struct LogSource: Sendable {
    /// The file's path, as given, or as found in a folder or an archive; empty for a stream.
    package var path: String
    /// Its first bytes, at most ``beginningSize``.
    package var beginning: [UInt8]
    /// The room that the user gave for the source; nil if none.
    package var room: String?
    /// The zone of times that have none.
    package var zone: Zone
    /// The time of the import: anything more than a day later is implausible.
    package var now: Timestamp
    /// The user's options for a table or a database.
    package var choices = SourceChoices()
    /// The rooms that the account has, if they are known.
    package var rooms = AccountRooms()
    /// The format's survey of the whole source; nil if only the beginning is known.
    package var survey: (any LogSurvey)?

    /// 64 KiB: some hundred lines, one of which names the room.
    package static let beginningSize = 64 * 1024

    /// - Parameter now: By default no time is too late.
    package init(
        path: String, beginning: [UInt8], room: String?, zone: Zone, now: Timestamp = Timestamp(microseconds: .max)
    ) {
        (self.path, self.beginning, self.room, self.zone, self.now) = (path, beginning, room, zone, now)
    }

    /// The file's name, without its folders.
    package var name: String { path.utf8.split(separator: UInt8(ascii: "/")).last.flatMap { String($0) } ?? "" }

    /// The names of the folders in the path, the innermost last.
    package var folders: [String] {
        path.utf8.split(separator: UInt8(ascii: "/")).dropLast().compactMap { String($0) }
    }
}

/// The reason why a source as a whole can't be read.
package enum LogSourceError: Error, Hashable {
    case noDate
    case noRoom
    /// Another reason, and advice, for people.
    case unusable(reason: String, hint: String?)
}

/// The meaning of a line.
package enum ParsedLine: Sendable, Hashable {
    indirect case message(ImportedMessage)
    /// A record of a full export that is not a message.
    case record(ArchiveRecord)
    /// An empty line, or a line of a message that is held back.
    case nothing
    /// A part that can't be read, with the reason for people.
    case unreadable(String)
}
