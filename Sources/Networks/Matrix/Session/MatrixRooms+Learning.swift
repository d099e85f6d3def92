import ChatModel
import LogFormats
import MatrixWire

/// Learns from events.
extension MatrixRooms {
    /// Learns what an event of a room's present state says about names, pictures and spaces.
    ///
    /// - Parameter me: The account's id.
    /// - Returns: The events for the archive.
    mutating func learn(_ event: MatrixEvent, in room: String, me: String, at: Timestamp) -> [ChatEvent] {
        guard let key = event.stateKey else { return [] }
        note(MatrixFact(type: event.type, key: key), of: room, from: event.id)
        switch event.meaning {
        case .redacted: return clear(MatrixFact(type: event.type, key: key), of: room, me: me, at: at)
        case .member(let member, _) where member.membership == "join" || member.membership == "invite":
            // In an invitation, the inviter chooses the name.
            let isOwn = member.user == event.sender
            people.note(member.user, name: member.name, ifUnknown: !isOwn)
            guard member.membership == "join", people.note(member.user, picture: member.picture) else { return [] }
            let user = UserReference(key: member.user, name: people.name(of: member.user), isSelf: member.user == me)
            return [
                .userListed(UserListing(user: user, picture: member.picture, shownAt: event.time), at: at)
            ]
        case .roomName(let name, _): rename(room, name)
        case .roomPicture(let picture, _): setPicture(of: room, picture)
        case .created: change(room) { $0.owner = .known(event.sender) }
        case .alias(let alias): change(room) { $0.alias = alias }
        case .child(let child, let isIn): place(child, in: room, isIn: isIn, isOwnWord: false)
        case .parent(let space, let isIn): place(room, in: space, isIn: isIn, isOwnWord: true)
        case .visibility(let readers): change(room) { $0.hidesHistory = ["joined", "invited"].contains(readers) }
        default: break
        }
        return []
    }

    /// Learns an invitation of the account.
    ///
    /// - Returns: The room's listing; nil for a room that the account is in.
    mutating func invite(to id: String, _ facts: [MatrixStrippedEvent], me: String) -> RoomListing? {
        guard self[id]?.isLive != true else { return nil }
        // The inviter's server chooses these events.
        for fact in facts where fact.type == "m.room.member" && fact.state_key == fact.sender {
            people.note(fact.state_key, name: fact.content.displayname, ifUnknown: true)
        }
        change(id) { known in
            known.isInvited = true
            for fact in facts {
                switch fact.type {
                case "m.room.name": known.name = .known(fact.content.name)
                case "m.room.canonical_alias": known.alias = fact.content.alias
                case "m.room.member" where fact.state_key == me && fact.content.is_direct == true:
                    known.partner = known.partner ?? fact.sender
                default: break
                }
            }
        }
        let listing = listing(of: id, me: me)
        change(id) { $0.listing = listing }
        return listing
    }
}
