import ChatModel
import XMPPWire

/// The ids of recent messages, by which later stanzas refer to them: corrections by the sender's id, others by that of the
/// room or of the account's archive.
struct XMPPReferences: Sendable {
    /// A message with an id that the archive has.
    struct Target: Sendable, Hashable {
        var remoteID: String
        /// The author's key.
        var author: String
        /// The author's name at that time; in a room, the nick.
        var name: String
    }

    private enum Name: Hashable {
        case server(String)
        case author(String, String)
        case anyone(String)
    }

    private struct Key: Hashable {
        var room: String
        var name: Name
    }

    private struct ReactionKey: Hashable {
        var room: String
        var target: String
        var sender: String
    }

    /// The limit of keys, the oldest of which are forgotten: those of 2,700 messages, 4 MiB (measured).
    private static let capacity = 8192

    private var targets: [Key: Target] = [:]
    /// The keys in the order in which they were added, in a ring that begins at `oldest` once it is full.
    private var order: [Key] = []
    private var oldest = 0
    private var reactions: [ReactionKey: (texts: [String], time: Timestamp)] = [:]
    /// The account's messages to itself, by the sender's id.
    private var ownCopies: [String: (remoteID: String?, body: String?)] = [:]
    /// The rooms whose newest messages were read from the archive.
    private(set) var recalled: Set<String> = []

    /// Notes a message that has an id of the network.
    ///
    /// - Parameter isArchived: True for the network's archive, which may show another key of the author than the one that is
    ///   stored.
    mutating func note(_ target: Target, senderIDs: [String], room: String, isArchived: Bool) {
        if isArchived, targets[Key(room: room, name: .server(target.remoteID))] != nil { return }
        add(Key(room: room, name: .server(target.remoteID)), target)
        for id in senderIDs {
            add(Key(room: room, name: .author(target.author, id)), target)
            add(Key(room: room, name: .anyone(id)), target)
        }
    }

    /// Notes the ids of a correction for the message that it corrects: some clients refer to the text that they showed last
    /// by its own id. An id that stands for a message already does not change.
    mutating func note(_ target: Target, correctedBy author: String, as ids: [String], room: String) {
        for name in ids.flatMap({ [Name.author(author, $0), .anyone($0)] }) {
            let key = Key(room: room, name: name)
            if targets[key] == nil { add(key, target) }
        }
    }

    /// Returns the message with this id of the sender, by this author.
    func find(_ id: String, by author: String, room: String) -> Target? {
        targets[Key(room: room, name: .author(author, id))]
    }

    /// Returns the message with this id of the sender, which this person may change.
    ///
    /// Archives of some rooms show people only by their nicks, whose addresses came with what they said live. Such a person
    /// is known by the nick, as XEP-0308 §5 allows.
    func find(_ id: String, changeableBy sender: UserReference, room: RoomReference) -> Target? {
        if let target = find(id, by: sender.key, room: room.key) { return target }
        return find(id, room: room.key).flatMap { $0.mayBeChanged(by: sender, in: room) ? $0 : nil }
    }

    /// Returns the message with this id of the server, or else of a sender.
    func find(_ id: String, room: String) -> Target? {
        targets[Key(room: room, name: .server(id))] ?? targets[Key(room: room, name: .anyone(id))]
    }

    /// Notes that the room's newest messages are noted.
    mutating func noteRecalled(_ room: String) { recalled.insert(room) }

    /// Notes a message of the account to itself.
    ///
    /// - Returns: True for the second copy of one: servers archive it for the sender and for the recipient, under two ids
    ///   (Prosody 0.12.3, ejabberd 23.01).
    mutating func isOwnCopy(senderIDs: [String], remoteID: String?, body: String?) -> Bool {
        for id in senderIDs {
            guard let first = ownCopies[id], first.body == body else { continue }
            return first.remoteID == nil || first.remoteID != remoteID
        }
        if ownCopies.count >= Self.capacity { ownCopies = [:] }
        for id in senderIDs { ownCopies[id] = (remoteID, body) }
        return false
    }

    private mutating func add(_ key: Key, _ target: Target) {
        guard targets.updateValue(target, forKey: key) == nil else { return }
        guard order.count == Self.capacity else { return order.append(key) }
        targets[order[oldest]] = nil
        order[oldest] = key
        oldest = (oldest + 1) % Self.capacity
    }

    /// Returns the reactions that a person gives, and those that they take back, by their set at this time.
    ///
    /// History comes backwards: of a set that is older than a known one, only what still stands is given.
    mutating func react(
        _ texts: [String], to target: String, by sender: String, room: String, at time: Timestamp
    ) -> (given: [String], taken: [String]) {
        let key = ReactionKey(room: room, target: target, sender: sender)
        if let known = reactions[key], known.time > time {
            return (texts.filter(known.texts.contains), [])
        }
        let before = reactions[key]?.texts ?? []
        if reactions.count >= Self.capacity { reactions = [:] }
        reactions[key] = (texts, time)
        return (texts, before.filter { !texts.contains($0) })
    }
}

extension XMPPReferences.Target {
    /// Returns true for the author, also if one of the two is known only by the nick.
    func mayBeChanged(by sender: UserReference, in room: RoomReference) -> Bool {
        let nickKey = "\(room.key)/\(name)"
        return author == sender.key
            || (room.kind == .channel && name == sender.name && (author == nickKey || sender.key == nickKey))
    }
}
