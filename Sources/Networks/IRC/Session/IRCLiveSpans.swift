import ChatModel
import Sessions

/// The times from which rooms are received live, by the network's clock.
struct IRCLiveSpans: Sendable {
    let session: SessionID
    /// The time of the registration by the server's clock, in microseconds since 1970; nil if the server sends no times.
    let welcomedAt: Int64?
    /// The start of the live span of each room whose history can be fetched, by key.
    private(set) var starts: [String: Timestamp] = [:]
    /// The rooms whose history is complete up to an instant of the unit of time in which they became live, by key.
    private var unsettled: [String: (room: RoomReference, from: Timestamp)] = [:]
    /// The time by which the network's clock is ahead of ours, in microseconds.
    private var clockLead: Int64 = 0

    init(session: SessionID, welcomedAt: Int64?) {
        (self.session, self.welcomedAt) = (session, welcomedAt)
    }

    /// Notes that the network's clock shows `time` at our `receipt`.
    mutating func setClock(_ time: Int64?, at receipt: Timestamp, _ step: inout IRCStep) {
        guard let time else { return }
        let lead = time - receipt.microseconds
        guard lead != clockLead else { return }
        clockLead = lead
        step.events.append(.networkClock(session: session, leadMicroseconds: lead))
    }

    /// Converts a time of receipt to the network's clock.
    func networkTime(_ receipt: Timestamp) -> Timestamp { receipt.advanced(byMicroseconds: clockLead) }

    /// Begins a span that the archive knows already, at a time of receipt.
    mutating func begin(_ key: String, at receipt: Timestamp) {
        starts[key] = networkTime(receipt)
    }

    /// Begins the live span of a room at the end of the unit of time of `stamp`, because earlier messages in that unit
    /// have the same stamp.
    ///
    /// - Parameter stamp: The network's time; nil if it sent none.
    mutating func begin(_ room: RoomReference, since stamp: Timestamp?, _ step: inout IRCStep) {
        let isStampOfNow = stamp.map { $0.microseconds >= welcomedAt ?? .max } ?? false
        let since = isStampOfNow ? stamp.map(\.endOfUnit) : nil
        step.events.append(
            .roomLive(session: session, room: room, at: since?.advanced(byMicroseconds: -clockLead) ?? step.at))
        starts[room.key] = since ?? networkTime(step.at)
        unsettled[room.key] = nil
    }

    mutating func end(_ key: String) {
        (starts[key], unsettled[key]) = (nil, nil)
    }

    mutating func rename(_ old: String, to key: String) {
        let start = starts[old]
        end(old)
        starts[key] = start
    }

    /// Covers a room between two instants.
    ///
    /// If the room is live from the second instant on, the unit of time of that instant is covered after it has ended,
    /// because history may get more messages of it until then.
    ///
    /// - Parameter lastInterruption: The end of the last time in between that must not be covered; nil if there is none.
    mutating func claim(
        _ room: RoomReference, from: Timestamp, to: Timestamp, lastInterruption: Timestamp?, _ step: inout IRCStep
    ) {
        var end = to
        if to == starts[room.key], networkTime(step.at) <= to, to.beginningOfUnit < to {
            end = to.beginningOfUnit.advanced(byMicroseconds: -1)
            // An outage may end in that unit.
            unsettled[room.key] = (room, max(from, end, lastInterruption ?? from))
        }
        if from <= end { step.events.append(.covered(session: session, room: room, from: from, to: end)) }
    }

    /// Covers the units of time that have ended by the last read.
    mutating func settle(_ step: inout IRCStep) {
        for (key, rest) in unsettled {
            guard let since = starts[key], networkTime(step.at) > since else { continue }
            unsettled[key] = nil
            guard rest.from <= since else { continue }
            step.events.append(.covered(session: session, room: rest.room, from: rest.from, to: since))
        }
    }
}
