package import ChatModel
import Crypto
import FoundationEssentials
import Reading
import Rendering

/// The requested contents of an export.
package struct ExportRequest: Sendable {
    package var format: any ExportFormat.Type
    /// The numbers of the rooms; nil for all.
    package var rooms: [Int64]?
    /// The message after which the export begins, excluded; nil for no limit.
    package var after: MessageID?
    /// The message before which the export ends, excluded; nil for no limit.
    package var before: MessageID?
    /// The zone of months and times of day.
    package var zone: Zone
    /// True to export the stored files as well.
    package var hasFiles: Bool
    /// The title of the documents; nil for none. An empty one removes the title of an export that is continued.
    package var title: String?

    package init(
        format: any ExportFormat.Type, rooms: [Int64]? = nil, after: MessageID? = nil, before: MessageID? = nil,
        zone: Zone, hasFiles: Bool = false, title: String? = nil
    ) {
        (self.hasFiles, self.title) = (hasFiles, title)
        (self.format, self.rooms, self.after, self.before, self.zone) = (format, rooms, after, before, zone)
    }
}

extension ExportRequest {
    /// The title; nil for none and for an empty one.
    var givenTitle: String? { title.flatMap { $0.isEmpty ? nil : $0 } }
}

/// The months of an export's rooms, each with its gaps.
struct ExportPlan {
    struct Key: Hashable {
        var room: Int64
        var month: CalendarMonth
    }

    struct Month {
        let unit: ExportUnit
        /// The bounds of its messages, both excluded.
        let after: MessageID
        let before: MessageID
        /// The gaps that begin in it, in order of time.
        let gaps: [Gap]

        var key: Key { Key(room: unit.roomID, month: unit.month) }

        /// Returns a digest of everything except the messages. Two plans of a month with the same messages and the same
        /// context give the same file.
        ///
        /// - Parameter look: What the documents of this export have in common; empty for nothing.
        func context(_ look: String) -> String {
            let parts = [unit.room, unit.folder, unit.previous?.description, unit.next?.description]
            let text = "\(parts)\(gaps.map { JSONValue($0).text })\(look)"
            return String(SHA256.hash(data: Data(text.utf8)).hexadecimal.prefix(16))
        }
    }

    struct PlannedRoom {
        let id: Int64
        let name: String
        let folder: String
        let months: [Month]
        let gaps: [Gap]

        /// The removals that no month has, because no messages are left.
        var removals: [Gap] { months.isEmpty ? gaps.filter { $0.purge != nil } : [] }
    }

    let rooms: [PlannedRoom]
    /// The approximate number of messages: all messages of the rooms, regardless of the bounds.
    let messages: Int

    /// - Parameter folders: The folders of rooms that already have one.
    init(_ request: ExportRequest, of source: AccountExport, folders: [Int64: String]) throws {
        let rooms = try source.rooms().filter { request.rooms?.contains($0.id) ?? true }
        let calendar = MonthCalendar(zone: request.zone)
        let folders = Self.folders(of: rooms, earlier: folders)
        messages = Int(clamping: rooms.reduce(Int64(0)) { $0.adding($1.messages) })
        self.rooms = try rooms.map { room in
            try Self.plan(
                room, folder: folders[room.id] ?? "\(room.id)", request: request, calendar: calendar,
                source: source)
        }
    }

    private static func plan(
        _ room: Room, folder: String, request: ExportRequest, calendar: MonthCalendar, source: AccountExport
    ) throws -> PlannedRoom {
        let lower = request.after ?? MessageID(microseconds: .min)
        let upper = request.before ?? MessageID(microseconds: .max)
        var months: [CalendarMonth] = []
        var from = MessageID(lower.time.advanced(byMicroseconds: 1))
        while let first = try source.firstMessage(room: room.id, from: from), first < upper {
            let month = calendar.month(of: first.time)
            months.append(month)
            from = max(MessageID(calendar.start(of: month.next)), MessageID(first.time.advanced(byMicroseconds: 1)))
        }
        let gaps = try source.gaps(room: room.id, from: lower, to: upper).map(\.asExported)
        let placed = Dictionary(grouping: gaps) { gap in
            let month = calendar.month(of: gap.from)
            return months.last { $0 <= month } ?? months.first
        }
        let planned = months.enumerated().map { index, month in
            Month(
                unit: ExportUnit(
                    roomID: room.id, room: room.name, kind: room.kind, folder: folder, month: month,
                    previous: index > 0 ? months[index - 1] : nil,
                    next: index + 1 < months.count ? months[index + 1] : nil),
                after: max(lower, MessageID(calendar.start(of: month).advanced(byMicroseconds: -1))),
                before: min(upper, MessageID(calendar.start(of: month.next))), gaps: placed[month] ?? [])
        }
        return PlannedRoom(id: room.id, name: room.name, folder: folder, months: planned, gaps: gaps)
    }

    /// Returns the folder of each room: the earlier one, or its name. Rooms whose names differ only in case get numbers
    /// in the order of the rooms' ids, so that rooms that come later change no folder.
    private static func folders(of rooms: [Room], earlier: [Int64: String]) -> [Int64: String] {
        var (names, folders) = (SafeName(), earlier)
        for folder in earlier.values { names.take(folder) }
        for room in rooms.sorted(by: { $0.id < $1.id }) where earlier[room.id] == nil {
            folders[room.id] = names.folder(for: room.name, otherwise: "room")
        }
        return folders
    }
}

extension Gap {
    /// The gap without the time of the next attempt, which changes while it lasts, and without the number of replayed
    /// messages, because a replay does not change the month in which the gap begins.
    fileprivate var asExported: Gap {
        var gap = self
        gap.missing?.nextTry = nil
        gap.missing?.replayed = Gap.Replayed()
        return gap
    }
}
