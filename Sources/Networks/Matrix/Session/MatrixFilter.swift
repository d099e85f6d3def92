import FoundationEssentials
import MatrixWire

/// The parts of a sync that a client wants (client-server API v1.11, 7.2).
struct MatrixFilter: Sendable, Hashable {
    let text: String

    /// Everything that is archived: no presence, and only those members who wrote something.
    ///
    /// - Parameter timeline: The limit of events of each room.
    init(archiving timeline: Int) {
        text = """
            {"presence":{"types":[]},\
            "account_data":{"types":["\(MatrixAccountData.directType)","\(MatrixAccountData.ignoredType)"]},\
            "room":{"include_leave":false,"account_data":{"types":[]},"ephemeral":{"types":["m.receipt"]},\
            "state":{"lazy_load_members":true,"include_redundant_members":true},\
            "timeline":{"limit":\(timeline),"lazy_load_members":true,"include_redundant_members":true}}}
            """
    }

    /// Only the counts of unread messages of some rooms.
    init(countsOf rooms: [String]) throws {
        let rooms = String(decoding: try JSONEncoder().encode(rooms), as: UTF8.self)
        text = """
            {"presence":{"types":[]},"account_data":{"types":[]},\
            "room":{"rooms":\(rooms),"account_data":{"types":[]},"ephemeral":{"types":[]},"state":{"types":[]},\
            "timeline":{"limit":1}}}
            """
    }
}
