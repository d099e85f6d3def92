import ChatModel
import LogFormats
import Rendering
import TextEncodings

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
        var assumptions = ImportAssumptions()
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

        /// Adds the results of a source that was read to its end.
        mutating func add(_ reader: SourceReader, of source: ImportSource) {
            unnamedOwner = unnamedOwner ?? reader.unnamedOwner
            doubtfulName = doubtfulName ?? reader.doubtfulName
            hasOwner = hasOwner || reader.hasOwner
            hasDoubtfulSource = hasDoubtfulSource || reader.isDoubtful
            assumptions.add(reader.assumptions, of: source)
            unknownKinds.add(reader.unknownKinds)
            if let room = reader.roomBeforeDate { dated.add(source.shown, reason: room) }
            undecoded.add(reader.undecoded)
            doubtful.add(reader.doubtful)
        }

        /// Counts a stored line that could not be read, or the room and the cut text of a message.
        mutating func note(_ line: ImportedLine, at place: (file: String, line: Int)) {
            switch line {
            case .message(let message):
                // The text of a full export was cut earlier, if at all.
                if message.flags.contains(.oversize), message.exact == nil {
                    cut.add("\(place.file):\(place.line)", reason: "")
                }
                guard rooms.count < ImportOutcome.maximumRooms, !rooms.contains(message.room) else { return }
                rooms.append(message.room)
                if allRooms.count < ImportOutcome.maximumRooms { allRooms.insert(message.room) }
            case .unreadable(let unreadable):
                let place = "\(place.file):\(place.line)"
                let reason = unreadable.reason
                invalid.add(
                    place, reason: reason.hasPrefix(place + ": ") ? String(reason.dropFirst(place.count + 2)) : reason)
            case .record, .imported, .owner:
                return
            }
        }

        mutating func note(_ encoding: FileEncoding, of file: ImportFile) {
            guard let name = encoding.encoding else { return }
            self.encoding = self.encoding ?? encoding
            decoded.add(file.shown, reason: encoding.isMixed ? "\(name.title), mixed with UTF-8" : name.title)
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
