import ChatModel
import Sessions
import XMPPWire

/// Follows the list of the rooms to join, which the configuration and the account's bookmarks name.
struct XMPPRoomList: Sendable {
    let link: XMPPLink

    private var configuration: XMPPConfiguration { link.configuration }

    /// Begins to join the rooms. What is missing of those that neither the configuration nor the bookmarks name any more ends
    /// now.
    func begin() async {
        let wishes = await wishedRooms()
        let expected = (try? await link.archive.expectedRooms(kind: .channel)) ?? []
        link.apply { session in
            session.follow(wishes ?? session.configuration.rooms, isWhole: wishes != nil)
            guard wishes != nil else { return }
            for room in expected where JID(room.key).map({ session.rooms[$0] == nil }) ?? true {
                session.step.events.append(.roomUnlisted(room, isGone: false, at: session.receipts.next()))
            }
        }
        link.roomWork.set()
    }

    /// Joins and leaves rooms when the account's bookmarks change: at once with the server's news, and from time to time
    /// without.
    func followBookmarks() async -> SessionEnd? {
        guard configuration.joinsBookmarks else { return await link.forever() }
        while !Task.isCancelled {
            await link.bookmarkWork.wait(configuration.bookmarkCheck, of: link.clock)
            guard !Task.isCancelled, let wishes = await wishedRooms() else { continue }
            link.apply { $0.follow(wishes, isWhole: true) }
            link.roomWork.set()
        }
        return nil
    }

    /// Returns the rooms to join: those of the configuration, and those of the bookmarks. Nil if the server does not say
    /// what the bookmarks are.
    private func wishedRooms() async -> [XMPPRoomWish]? {
        guard configuration.joinsBookmarks else { return configuration.rooms }
        return await RoomBookmark.all(asking: { await link.ask($0, of: nil)?.element }).map {
            configuration.rooms(with: $0)
        }
    }
}

extension RoomBookmark {
    /// The conditions of errors by which a server says that there are no such bookmarks.
    private static let absences: Set = ["item-not-found", "service-unavailable", "feature-not-implemented"]

    /// Returns the account's bookmarks; nil if the server does not say which they are.
    ///
    /// - Parameter ask: Asks the account's server, and returns the answer; nil without one.
    static func all(
        asking ask: (_ question: (String) -> XMPPElement) async -> XMPPElement?
    ) async -> [RoomBookmark]? {
        for question in [query, earlierQuery] {
            guard let answer = await ask(question) else { return nil }
            let found = all(in: answer)
            if !found.isEmpty { return found }
            if let condition = answer.errorCondition, !absences.contains(condition) { return nil }
        }
        return []
    }
}

extension XMPPConfiguration {
    /// Returns the rooms to join: those of the configuration, and those of the bookmarks that clients join by themselves.
    func rooms(with bookmarks: [RoomBookmark]) -> [XMPPRoomWish] {
        let known = Set(rooms.map(\.room))
        return rooms
            + bookmarks.filter { $0.isJoined && !known.contains($0.room) }.map {
                XMPPRoomWish(room: $0.room, nick: $0.nick ?? nick, password: $0.password)
            }
    }
}

extension XMPPSession {
    /// Begins to join the wished rooms that are not known, and tries refused ones again that have another nick or password.
    ///
    /// - Parameter isWhole: True to leave all other rooms.
    mutating func follow(_ wishes: [XMPPRoomWish], isWhole: Bool) {
        for wish in wishes {
            let room = rooms[wish.room]
            guard room == nil || room?.wish != wish && room?.phase == .outside else { continue }
            rooms[wish.room] = XMPPRoom(wish, backoff: configuration.rejoin, due: elapsed)
        }
        guard isWhole else { return }
        let wished = Set(wishes.map(\.room))
        for address in rooms.keys.filter({ !wished.contains($0) }).sorted(by: { "\($0)" < "\($1)" }) { unlist(address) }
    }

    /// Leaves a room. Its history stays.
    private mutating func unlist(_ address: JID) {
        guard let room = rooms.removeValue(forKey: address) else { return }
        if room.phase != .outside {
            let own = address.with(resource: room.nick)
            step.send.append(XMPPElement("presence", ["to": "\(own)", "type": "unavailable"]))
        }
        if room.isInside {
            step.events.append(
                .roomSilent(session: id, room: room.reference, at: heartbeat.lastSignOfLife, reason: .left))
        }
        step.events.append(.roomUnlisted(room.reference, isGone: false, at: receipts.next()))
        step.settled.append(address)
    }
}
