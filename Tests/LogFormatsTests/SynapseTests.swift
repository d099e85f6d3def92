import ChatModel
import Testing

@testable import LogFormats

struct SynapseTests {
    private static let (alice, bob) = ("@alice:example.org", "@bob:example.org")

    /// An event in the form in which servers send it to each other.
    ///
    /// - Parameters:
    ///   - second: Seconds after 2026-11-21 06:23:11.
    ///   - more: Further keys, each with a comma before it.
    private static func event(
        _ type: String, _ content: String, by sender: String = alice, at second: Int64 = 0, key: String? = nil,
        _ more: String = #", "room_id": "!r:example.org""#
    ) -> String {
        """
        {"auth_events": [], "prev_events": [], "content": {\(content)}, "depth": 1, "hashes": {"sha256": "x"}, \
        "origin_server_ts": \(1_795_242_191_000 + second * 1000), "sender": "\(sender)", "type": "\(type)", \
        "signatures": {}, "unsigned": {"age_ts": 1}\(key.map { #", "state_key": "\#($0)""# } ?? "")\(more)}
        """
    }

    private static func said(_ content: String, by sender: String = alice, at second: Int64) -> String {
        event("m.room.message", #""msgtype": "m.text", "body": \#(content)"#, by: sender, at: second)
    }

    private static func member(_ membership: String, _ name: String, _ id: String = alice, at second: Int64) -> String {
        event(
            "m.room.member", #""membership": "\#(membership)", "displayname": "\#(name)""#, by: id, at: second, key: id)
    }

    private static let created = event("m.room.create", #""room_version": "11""#, key: "")
    /// The ids of alice's messages, by their seconds, as Synapse computes them.
    private static let ids = [
        1: "$QWn9LobwFPwX1R8Ptkrp_xgzN_0I9D0pFa0mUSy8KjY", 5: "$H6QBZ0QAzoMPRrCkx9RbTI-ujDKHqAGtfcH7enVmRxs",
    ]

    private func read(_ events: String...) throws -> Export {
        try Export(SynapseFormat.self, events.joined(), path: "rooms/!r:example.org/events")
    }

    // MARK: - Ids

    /// An event of alice's, with the room's version and the id that Synapse computes.
    struct KnownID: Sendable {
        var type = "m.room.message"
        var content = ""
        var second: Int64 = 0
        var key: String?
        var more = #", "room_id": "!r:example.org""#
        var version: Int
        var id: String
    }

    private static let membership = ##"""
        "membership": "join", "displayname": "Alice", "join_authorised_via_users_server": "@x:example.org",
        "third_party_invite": {"display_name": "a", "signed": {"mxid": "@a:b", "token": "t"}}
        """##
    private static let powers = ##"""
        "users": {"@bob:example.org": 50, "@alice:example.org": 100}, "ban": 50, "invite": 0, "notifications": {"room": 50}
        """##
    private static let rules = ##"""
        "join_rule": "restricted", "allow": [{"type": "m.room_membership", "room_id": "!s:example.org"}]
        """##
    private static let creation = ##"""
        "room_version": "12", "note": "\"quotes\" \\ and\nlines, \ubbfc\uc218"
        """##
    private static let federated = #""creator": "@alice:example.org", "room_version": "%", "m.federate": true"#
    private static let origin = #", "room_id": "!r:example.org", "origin": "example.org""#
    private static let addresses = ##""aliases": ["#a:example.org"]"##
    private static let removal = #""redacts": "$1", "reason": "spam""#

    private static let knownIDs: [KnownID] = [
        KnownID(second: 1, version: 3, id: "$QWn9LobwFPwX1R8Ptkrp/xgzN/0I9D0pFa0mUSy8KjY"),
        KnownID(second: 1, version: 4, id: "$QWn9LobwFPwX1R8Ptkrp_xgzN_0I9D0pFa0mUSy8KjY"),
        KnownID(content: #""body": "hi""#, version: 12, id: "$ShXkKZeClqW17WixAM4L91eoFs58atEW2yLgLEsOJsw"),
        KnownID(more: origin, version: 10, id: "$dlO0PvtXUiqTVISqWnIkCakwMg4IiTCk3Lm5ECKfGFg"),
        KnownID(more: origin, version: 11, id: "$ShXkKZeClqW17WixAM4L91eoFs58atEW2yLgLEsOJsw"),
        KnownID(more: #", "event_id": "$1:example.org""#, version: 1, id: "$1:example.org"),
        KnownID(
            type: "m.room.member", content: membership, key: alice, version: 6,
            id: "$eDErxp9ZxLDOBTXcAYi2ti8WFpgaHemjKCJRPzWvzgs"),
        KnownID(
            type: "m.room.member", content: membership, key: alice, version: 9,
            id: "$njAMZBSK5BXeenYX--hW7MeNmz4tsPw9TELX8QevpcY"),
        KnownID(
            type: "m.room.member", content: membership, key: alice, version: 11,
            id: "$xM8a6T0LOFHN7V8xH3utnPz3dpUSGOKwGjCXDJrU8cg"),
        KnownID(
            type: "m.room.create", content: federated.replacing("%", with: "10"), key: "", version: 10,
            id: "$3Ed10GeHvsZCGV5YyZH-WN5C8VJDtBe92YfXWcorlDI"),
        KnownID(
            type: "m.room.create", content: federated.replacing("%", with: "11"), key: "", version: 11,
            id: "$frZn24oPtdfpiKsnjiQUiztAZhGl9cwzVEMkItef5pc"),
        KnownID(
            type: "m.room.create", content: creation, key: "", more: "", version: 12,
            id: "$visiRfz51Ul08A_PoZQRb6kWWbEkCiEgfu2INYc942w"),
        KnownID(
            type: "m.room.power_levels", content: powers, key: "", version: 10,
            id: "$13j0bxmiMj0SQhhqs5Fg6gl16_cEl5UWMptCl0pIAfM"),
        KnownID(
            type: "m.room.power_levels", content: powers, key: "", version: 11,
            id: "$Y-OIA6U_6Y68kwFunnosreooR3yc343lBgaEPuLPodI"),
        KnownID(
            type: "m.room.join_rules", content: rules, key: "", version: 7,
            id: "$Xd4LtNyVMKE-YH6_q5-fYnhxvn52qs6hxHbUJ6bLLiE"),
        KnownID(
            type: "m.room.join_rules", content: rules, key: "", version: 8,
            id: "$VRyIDLPjfBVnnQqZc2kUBmWvZpsdB0UlXY-bRie-f1A"),
        KnownID(
            type: "m.room.aliases", content: addresses, key: "example.org", version: 5,
            id: "$EMOoY-LG5xRSIrGn-8QGeZT9RUla1rgxyLUqdwXYWbs"),
        KnownID(
            type: "m.room.aliases", content: addresses, key: "example.org", version: 6,
            id: "$vH5IyhrXx4ATpuFZMG98Ni_-48R-mOg-KaZE6JEkh_Y"),
        KnownID(
            type: "m.room.history_visibility", content: #""history_visibility": "joined", "x": 1"#, key: "",
            version: 10,
            id: "$Gr8j97Nq4ZhtLiVr-kPlHEiP4hMm75-icjo81kY302c"),
        KnownID(
            type: "m.room.redaction", content: removal, version: 10, id: "$D2gnWnyIN22PuwK9A8HCA32R_UQz6ZJljQKSwE0VCOE"),
        KnownID(
            type: "m.room.redaction", content: removal, version: 11, id: "$sgb0YdXUJkpzQVL149JZrv5HbgoB2zkMi7zTncxnKRo"),
    ]

    @Test(arguments: knownIDs)
    func `an event's id follows from what a removal keeps, as Synapse computes it`(known: KnownID) throws {
        let event = Self.event(known.type, known.content, at: known.second, key: known.key, known.more)
        let json = try JSONValue(object: LogLine(number: 1, bytes: Array(event.utf8)[...]), limit: 10_000)
        #expect(try MatrixRoomVersion(number: known.version).id(of: json) == known.id)
    }

    @Test func `a room's version is its number, and the first one without a name`() {
        let names = ["10", "org.matrix.msc3757.11", "example", nil]
        #expect(names.map { MatrixRoomVersion(name: $0).number } == [10, 11, 12, 1])
    }

    @Test func `a room of version 12 has its creation's id`() throws {
        let creation = Self.event("m.room.create", Self.creation, key: "", "")
        #expect(try read(creation).messages.map(\.roomKey) == ["!visiRfz51Ul08A_PoZQRb6kWWbEkCiEgfu2INYc942w"])
    }

    // MARK: - Messages

    @Test func `messages have their ids, edits, replies and reactions`() throws {
        let (first, answer) = (try #require(Self.ids[1]), try #require(Self.ids[5]))
        let edit =
            #""* new", "m.new_content": {"msgtype": "m.text", "body": "new"}, "m.relates_to": {"rel_type": "m.replace", "event_id": "\#(first)"}"#
        let export = try read(
            Self.created, Self.said(#""hi \uc548\ub155""#, at: 1), Self.said(edit, at: 3),
            Self.event(
                "m.reaction",
                #""m.relates_to": {"rel_type": "m.annotation", "event_id": "\#(first)", "key": "👍"}"#, by: Self.bob,
                at: 2),
            Self.said(#""yes", "m.relates_to": {"m.in_reply_to": {"event_id": "\#(first)"}}"#, at: 5))
        let messages = export.messages.dropFirst()
        #expect(messages.map(\.body) == ["hi 안녕", "new", "yes"])
        #expect(messages.map(\.remoteID) == [first, first, answer])
        #expect(messages.map(\.replyTo) == [nil, nil, first])
        #expect(messages.map { $0.editedAt != nil } == [false, true, false])
        #expect(messages.map(\.senderKey) == [Self.alice, Self.alice, Self.alice])
        let reactions = export.parsed.compactMap { line -> ReactionRecord? in
            if case .record(.reaction(let record)) = line { record } else { nil }
        }
        #expect(reactions.map(\.remoteID) == [first] && reactions.map(\.reaction.text) == ["👍"])
        #expect(reactions.map(\.reaction.ownID) == ["$PwFdZQsyUTTcfRIcwdKoBCiAntiz9cRb2fqpjNaj-Rs"])
        #expect(export.unreadable.isEmpty && export.unknownKinds.counts.isEmpty)
    }

    @Test func `another person's edit is a message of its own`() throws {
        let first = try #require(Self.ids[1])
        let edit =
            #""* new", "m.new_content": {"msgtype": "m.text", "body": "new"}, "m.relates_to": {"rel_type": "m.replace", "event_id": "\#(first)"}"#
        let message = try #require(
            try read(Self.said(#""hi""#, at: 1), Self.said(edit, by: Self.bob, at: 3)).messages.last)
        #expect(message.remoteID == "$w9gNJIZZTJaDmqaGKH-KyCmeeAI5G-A7JXK9cDfNSr0" && message.replyTo == first)
    }

    @Test func `a removed message is empty, and a removal without effect says nothing`() throws {
        let first = try #require(Self.ids[1])
        let removal = Self.event("m.room.redaction", #""redacts": "\#(first)", "reason": "spam""#, by: Self.bob, at: 3)
        func retractions(_ events: String...) throws -> [RetractionRecord] {
            try Export(SynapseFormat.self, events.joined()).parsed.compactMap { line in
                if case .record(.retraction(let record)) = line { record } else { nil }
            }
        }
        let emptied = Self.event("m.room.message", "", at: 1)
        #expect(try read(Self.created, emptied).messages.map(\.body) == ["created the room", nil])
        #expect(try read(emptied).unknownKinds.counts.isEmpty)
        let removed = try retractions(Self.created, emptied, removal)
        #expect(removed.map(\.remoteID) == [first] && removed.map(\.reason) == ["spam"])
        #expect(removed.map(\.user?.key) == [Self.bob])
        #expect(try retractions(Self.created, Self.said(#""hi""#, at: 1), removal).isEmpty)
    }

    @Test func `an encrypted message keeps its bytes, with its id`() throws {
        let event = Self.event("m.room.encrypted", #""algorithm": "m.megolm.v1.aes-sha2", "ciphertext": "AAAA""#, at: 1)
        let message = try #require(try read(Self.created, event).messages.last)
        let id = try #require(message.remoteID)
        #expect(message.body == nil && message.flags.contains(.encrypted) && message.kind == .message)
        #expect(
            message.raw.map { String(decoding: $0, as: UTF8.self) } == #"{"event_id":"\#(id)","# + event.dropFirst())
        let emptied = try #require(try read(Self.event("m.room.encrypted", "", at: 1)).messages.last)
        #expect(!emptied.flags.contains(.encrypted) && emptied.raw == nil)
    }

    @Test func `a change of a name is a rename, though servers leave out the name before`() throws {
        let export = try read(
            Self.created, Self.member("join", "alice", at: 1), Self.said(#""hi""#, at: 2),
            Self.member("join", "민수", at: 3), Self.said(#""hi""#, at: 4), Self.member("leave", "민수", at: 5),
            Self.member("join", "민수", at: 6))
        #expect(export.messages.map(\.kind) == [.action, .join, .message, .rename, .message, .leave, .join])
        let id = Self.alice
        #expect(export.messages.map(\.sender) == [id, id, "alice", "alice", "민수", "민수", "민수"])
    }

    // MARK: - Files

    private static let paths = [
        "media_ids/abc", "rooms/!a:example.org/events", "rooms/!a:example.org/state/$1", "rooms/!b/events",
        "rooms/!b/invite_state", "user_data/account_data/global", "user_data/devices", "user_data/profile",
    ]

    @Test func `a folder is one export, and each room is read twice`() {
        #expect(SynapseFormat.files(among: Self.paths) == [7, 1, 1, 3, 3])
        #expect(SynapseFormat.files(among: ["rooms/a/events", "events", "export/rooms/!a/events"]) == nil)
        let read = Self.paths.filter { SynapseFormat.saysNothing($0) }
        #expect(read == Self.paths.filter { !$0.hasSuffix("/events") })
    }

    @Test func `a room has its last name, or the names of the others`() throws {
        let room = [
            Self.created, Self.member("join", "alice", at: 1), Self.member("join", "민수", Self.bob, at: 2),
            Self.said(#""hi""#, at: 3),
        ]
        let name = Self.event("m.room.name", #""name": "plans""#, at: 4, key: "")
        func names(_ events: [String]) throws -> Set<String> {
            let (profile, path) = (
                Array(#"{"name": "\#(Self.alice)", "admin": false}"#.utf8), "rooms/!r:example.org/events"
            )
            let bytes = Array(events.joined().utf8)
            let export = try Export(
                SynapseFormat.self, files: [("user_data/profile", profile), (path, bytes), (path, bytes)])
            #expect(export.messages.count == events.count && export.unreadable.isEmpty && export.hasOwnRooms)
            return Set(export.messages.map(\.room))
        }
        #expect(try names(room) == ["민수"])
        #expect(try names(room + [name]) == ["plans"])
        #expect(try Set(read(room.joined(), name).messages.map(\.room)) == ["plans"])
    }

    @Test func `a broken event is reported once, and the others are read`() throws {
        let (path, bytes) = (
            "rooms/!r:example.org/events", Array((Self.created + "{\"type\": 1}" + Self.said(#""hi""#, at: 1)).utf8)
        )
        let export = try Export(SynapseFormat.self, files: [(path, bytes), (path, bytes)])
        #expect(export.messages.map(\.body) == ["created the room", "hi"])
        #expect(export.unreadable == ["its \"type\" has the wrong type"])
    }

    @Test func `the state of a room at a gap is no log`() {
        let text = Self.created
        #expect(Export.recognising(text, path: "rooms/!r/events") == ["synapse"])
        #expect(Export.recognising(text, path: "rooms/!r/state/$1") == [])
    }

    @Test func `values that are nested too deeply are reported`() throws {
        let deep = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
        let export = try read(Self.event("m.room.create", #""room_version": "11", "x": \#(deep)"#, key: ""))
        #expect(export.unreadable == ["its values are nested too deeply"])
    }
}
