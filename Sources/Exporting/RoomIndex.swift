import ChatModel
import FoundationEssentials
import Rendering

/// The facts of an export's index, in the words that all formats of an index share.
struct RoomIndex {
    let contents: ExportContents
    private let time: LocalTime

    init(_ contents: ExportContents) {
        self.contents = contents
        time = LocalTime(zone: contents.settings.zone)
    }

    /// The number of messages in all rooms.
    var messages: Int { contents.rooms.reduce(0) { $0.adding(Self.messages($1)) } }

    static func messages(_ room: ExportContents.Room) -> Int {
        room.months.reduce(0) { $0.adding($1.messages) }
    }

    /// Returns the first and the last day of a room; nil for a room without messages.
    func days(_ room: ExportContents.Room) -> (first: String, last: String)? {
        guard let first = room.months.first?.first, let last = room.months.last?.last else { return nil }
        return (time.day(first.time), time.day(last.time))
    }

    /// Returns the gaps of a room. The time after the account left the room does not count.
    static func gaps(_ room: ExportContents.Room) -> [Gap] {
        room.gaps.filter(\.state.isMissing)
    }

    /// Returns the sentences of the removals that no month has, because no messages are left.
    func removals(_ room: ExportContents.Room) -> [String] {
        guard room.months.isEmpty else { return [] }
        return room.gaps.filter { $0.purge != nil }.map { MessageRemarks.sentence($0, time: time, shownDay: nil) }
    }

    /// Returns a line such as `1,203 messages, 2026-01-03 to 2026-11-21, 2 gaps`.
    func facts(_ room: ExportContents.Room) -> String {
        var facts = [Self.messages(room).of(.message)]
        if let (first, last) = days(room) { facts.append(first == last ? first : "\(first) to \(last)") }
        let gaps = Self.gaps(room).count
        if gaps > 0 { facts.append(gaps.of("gap")) }
        return facts.joined(separator: ", ")
    }

    /// Returns the name of a room for people.
    static func name(_ room: ExportContents.Room) -> String {
        let name = room.name.isEmpty ? "(no name)" : room.name
        return Sanitizer.line(room.account.map { "\($0)/\(name)" } ?? name)
    }
}

extension TextExport {
    /// Returns `index.txt`: each room with its facts and its files.
    static func companions(of contents: ExportContents) -> [ExportCompanion] {
        let index = RoomIndex(contents)
        let settings = contents.settings
        var text = """
            --- account: \(Sanitizer.line(settings.account)) (\(Sanitizer.line(settings.networks)))
            --- times: \(settings.zone.identifier)
            --- \(contents.rooms.count.of("room")), \(index.messages.of(.message))

            """
        for room in contents.rooms {
            text += "\n\(RoomIndex.name(room)): \(index.facts(room))\n"
            for removal in index.removals(room) { text += "  !!! \(removal)\n" }
            for month in room.months {
                for file in month.files { text += "  \(room.folder)/\(file)\n" }
            }
        }
        return [ExportCompanion(path: "index.txt", contents: text)]
    }
}

extension MarkdownExport {
    /// Returns `index.md`: each room with its facts and links to its months.
    static func companions(of contents: ExportContents) -> [ExportCompanion] {
        let index = RoomIndex(contents)
        let settings = contents.settings
        var text = """
            # Rooms of \(MarkdownText.line(settings.account))

            Account \(MarkdownText.line(settings.account))\(MarkdownText.line(settings.origin)). \
            Times are in \(MarkdownText.line(settings.zone.identifier)).
            \(contents.rooms.count.of("room")), \(index.messages.of(.message)).

            """
        for room in contents.rooms {
            text += "\n## \(MarkdownText.line(RoomIndex.name(room)))\n\n\(MarkdownText.escape(index.facts(room)))\n"
            for removal in index.removals(room) { text += "\nRemoved: \(MarkdownText.escape(removal))\n" }
            text += room.months.isEmpty ? "" : "\n"
            for month in room.months {
                for (number, file) in month.files.enumerated() {
                    let part = number > 0 ? ", part \(number + 1)" : ""
                    let address = HTMLText.address("\(room.folder)/\(file)")
                    text += "- [\(month.month.inWords)\(part)](<\(address)>): \(month.messages.of(.message))\n"
                }
            }
        }
        return [ExportCompanion(path: "index.md", contents: text)]
    }
}

extension CSVExport {
    /// Returns `index.csv`: a record for each file.
    static func companions(of contents: ExportContents) -> [ExportCompanion] {
        let header = ["account", "room", "month", "file", "messages", "first", "last", "gaps"]
        var text = CSV.record(header)
        for room in contents.rooms {
            for month in room.months {
                for file in month.files {
                    text += CSV.record([
                        room.account ?? contents.settings.account, room.name, month.month.description,
                        "\(room.folder)/\(file)", "\(month.messages)", month.first.description,
                        month.last.description, "\(RoomIndex.gaps(room).count)",
                    ])
                }
            }
        }
        return [ExportCompanion(path: "index.csv", contents: text)]
    }
}
