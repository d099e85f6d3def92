import ChatModel
import LogFormats
import Rendering

extension ImportRun {
    /// The work done so far.
    package struct Done: Sendable {
        /// The lines read, empty ones too; for exports in JSON, the messages.
        var lines = 0
        /// The bytes read, unpacked.
        var bytes: Int64 = 0
        var tally = ImportTally()
        /// The files and lines read, by format.
        var formats: [String: Format] = [:]
        /// The places of the lines that could not be read, by reason.
        var invalid = FileGroups()
        /// The places of the messages whose texts were too long and were cut.
        var cut = FileGroups()
        /// The number of sources with assumptions, and the assumptions of the first of them.
        var assumptions: (sources: Int, examples: [String]) = (0, [])
        /// The messages whose content is left out because its kind is unknown.
        var unknownKinds = UnknownKinds()
        /// The files with a date after the room in their names, by room.
        var dated = FileGroups()
        /// The number of messages with invalid UTF-8, and their files.
        var undecoded = UndecodedTexts()
        /// The first sender who stands for the account's own person and has no name.
        var unnamedOwner: String?
        /// The first name of the account's own person that is probably another person's.
        var doubtfulName: DoubtfulName?
        /// True if the account's own person, whose name is known, sent a message.
        var hasOwner = false
        var files = ImportedFiles()
        /// The number of messages that may be in another encoding than the rest of their files.
        var doubtful = UndecodedTexts()
        /// The files that are not UTF-8, by encoding.
        var decoded = FileGroups()
        /// The encoding of the last source's first file that is not UTF-8; nil if all are.
        var encoding: FileEncoding?
        /// The rooms of the last source's stored messages, at most ``ImportOutcome/maximumRooms``.
        var rooms: [String] = []
        /// The rooms of all stored messages, at most ``ImportOutcome/maximumRooms``.
        var allRooms: Set<String> = []
        /// The last line that was stored.
        var place: (file: String, line: Int)?

        /// True if a tenth of a source's lines could not be read.
        var hasDoubtfulSource = false

        /// True if there were lines and not one could be read, as with a wrong column for the time.
        var isUnreadable: Bool {
            tally.failed > 0 && tally.new + tally.changed + tally.known + tally.expired + tally.records == 0
        }

        var unit: Noun {
            guard let first = formats.first?.value.unit else { return .line }
            return formats.values.allSatisfy { $0.unit == first } ? first : .entry
        }
    }

    struct Format: Sendable {
        let unit: Noun
        var files = 0
        var lines = 0

        init(_ format: any LogFormat.Type) {
            unit = format.isLineByLine ? .line : .message
        }
    }
}
