/// The fetches of history, one at a time in each room.
struct MatrixFetchQueue: Sendable {
    /// The rooms whose history is being fetched, with the number of events so far.
    private(set) var fetched: [String: Int] = [:]
    /// The fetches that wait, by room.
    private var waiting: [String: [MatrixFetch]] = [:]
    /// The limit of waiting fetches in a room, because a server may cut every sync. A later fetch goes back as far as an
    /// earlier one, which is dropped.
    static let limit = 8

    /// Adds a fetch.
    ///
    /// - Returns: True if the room was idle, so that the caller must begin it.
    mutating func add(_ fetch: MatrixFetch) -> Bool {
        let others = waiting[fetch.room] ?? []
        waiting[fetch.room] = others.suffix(Self.limit - 1) + [fetch]
        return others.isEmpty && fetched[fetch.room] == nil
    }

    /// Returns the room's next fetch, which begins now; nil if none waits.
    mutating func begin(_ room: String) -> MatrixFetch? {
        guard let fetch = waiting[room]?.removeFirst() else { return nil }
        if waiting[room]?.isEmpty == true { waiting[room] = nil }
        fetched[room] = 0
        return fetch
    }

    mutating func count(_ events: Int, in room: String) {
        fetched[room, default: 0] += events
    }

    /// Ends the room's fetch.
    ///
    /// - Returns: True if another waits, so that the caller must begin it.
    mutating func end(_ room: String) -> Bool {
        fetched[room] = nil
        return waiting[room] != nil
    }
}
