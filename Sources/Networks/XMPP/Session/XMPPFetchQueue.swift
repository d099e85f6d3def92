import XMPPWire

/// The fetches of history that wait, one for each archive.
struct XMPPFetchQueue: Sendable {
    private var waiting: [XMPPFetch] = []

    var count: Int { waiting.count }

    /// Adds a fetch, in the place of a waiting one of the same archive unless that goes back further.
    mutating func add(_ fetch: XMPPFetch) {
        guard let place = waiting.firstIndex(where: { $0.room == fetch.room }) else { return waiting.append(fetch) }
        if waiting[place].after == nil || fetch.after != nil { waiting[place] = fetch }
    }

    mutating func next() -> XMPPFetch? { waiting.isEmpty ? nil : waiting.removeFirst() }
}
