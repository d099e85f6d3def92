import ChatModel
import FoundationEssentials
import Hummingbird
import Operations
import Options
import Reading
import Rendering

/// A room, or a part of its time, as a file.
struct RoomDownload {
    let visit: PageVisit
    let key: RoomKey

    private static let parameters =
        HistoryOperation.parameters.filter { !["limit", "around"].contains($0.name) } + [Download.format]

    func response() throws -> Response {
        let parameters = try visit.parameters(
            Self.parameters, adding: [("room", String(key.id)), ("account", key.account)])
        let operation = try HistoryOperation(parameters)
        let zone = parameters.has("utc") ? .gmt : visit.zone
        let visit = visit
        let isCold = parameters.has("cold")
        let (room, query) = try visit.site.readInPlace(as: visit.visitor, cold: isCold) { reading in
            guard let found = try reading.room(key) else { throw Problem.notFound }
            let given = try operation.place.anchor(zone: zone, now: .now())
            let anchor =
                operation.place.isUnread
                ? found.readThrough.map { .after($0) } ?? .oldest : given.fromOldest ?? .oldest
            let query = try MessageQuery(
                scope: .rooms([key]), anchor: anchor, limit: Download.pageSize,
                hidden: visit.context.hidden(operation.hides, in: reading), names: operation.names)
            return (found.room, query)
        }
        let name = room.name.isEmpty ? "(no name)" : room.name
        let download = Download(
            visit: visit, format: parameters.choice("format") ?? .text, zone: zone,
            title: Self.title(name, query.anchor, operation.place), areHits: false, isCold: isCold
        ) {
            try $0.page($1)
        }
        return try download.response(query)
    }

    /// Returns the room with its day, or with a word for another part of its time.
    private static func title(_ room: String, _ anchor: MessageQuery.Anchor, _ place: TimePlace) -> String {
        switch anchor {
        case .day(let day): "\(room) \(day.name)"
        case .oldest: room
        case .latest, .before, .after, .around, .between: "\(room) \(place.isUnread ? "unread" : "part")"
        }
    }

    /// Returns the form of a room's page.
    ///
    /// - Parameter day: The day that can be chosen; nil for the whole room alone.
    static func form(_ room: Room, day: CivilDay?, _ address: PageAddress) -> HTML {
        let path = HTMLAddress.room(room.account, room.id) + "/download"
        let kept = PageAddress(path: path, items: address.items.filter { ["hide", "names", "utc"].contains($0.name) })
        let day = day.map { day -> HTML in
            let moment = LocalMoment(day.span.lowerBound, in: day.zone)
            return "<option id=\"download-day\" value=\"\(day.name)\">\(moment.dayMonthYear)</option>"
        }
        let formats = Download.Format.allCases.map { "<option value=\"\($0.rawValue)\">\($0.words)</option>" as HTML }
        return """
            <form action="\(path)">\(kept.fields)
            <select name="day" aria-label="What to download">\(day ?? "")<option value="">the whole room</option></select>
            <select name="format" aria-label="Format">\(formats.joined())</select>
            <button>Download</button>
            </form>

            """
    }
}
