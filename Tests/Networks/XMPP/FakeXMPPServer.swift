import ChatModel
import Sessions
import TestSupport
import XMPPWire

/// A server in memory, with one room and the account's own archive, that misbehaves as Prosody 0.12.3 and ejabberd 23.01 do.
final class FakeXMPPServer: Connector {
    /// A message of an archive.
    struct Archived: Sendable {
        var id: String
        var time: Timestamp
        var message: String
    }

    /// A room, or the account's own archive.
    struct Place: Sendable {
        var messages: [Archived] = []
        var hasArchive = true
        /// The messages of one page, whatever is asked for.
        var page = 50
        /// True for a server that takes an unknown id for a time (ejabberd).
        var takesIDsForTimes = false
        /// True for a server that writes whole seconds (Prosody).
        var hasWholeSeconds = false
    }

    struct State: Sendable {
        var connections: [FakeXMPPConnection] = []
        var room = Place()
        var own = Place()
        /// The people in the room, by nick, with their addresses.
        var occupants: [String: String] = ["alice": "alice@example/x"]
        var isMissing = false
        var joinError: String?
        var features: [String] = ["http://jabber.org/protocol/muc", "muc_nonanonymous"]
        /// The number of pages after which the connection breaks; nil for none.
        var cutAfterPages: Int?
        var hasManagement = true
        /// The answer to a resumption: true to resume, false to refuse, nil to close the connection (Prosody).
        var resumes: Bool? = true
        var nextID = 1000
        var time = Timestamp.now()
        /// True for a server that can't be reached after its connection broke.
        var staysDown = false
        var isDown = false
        /// The number of pages after which the archive loses everything up to the oldest message that was read.
        var trimAfterPages: Int?
        /// The pages that were asked for, by the id before which they end.
        var asked: [String] = []
        /// The stanzas that came while no connection was open, for the one that resumes the stream.
        var kept: [String] = []
        /// The last number of stored stanzas that the client reported.
        var acknowledged = 0
        /// The number of questions for descriptions, and true to break the connection at the next one.
        var described = 0
        var cutsAtDescription = false
        /// The number of pages that were asked for before the account said goodbye, and true to let it wait for an answer.
        var askedBeforeGoodbye = 0
        var ignoresGoodbye = false
        /// True for a room from which the account is banned, or of which it is not a member.
        var isForbidden = false
        /// The newest messages of the room with their times, for whoever joins it and asks for history.
        var memory: [(time: Timestamp, stanza: String)] = []
        /// The number of pages after which the room's archive is switched off. Then its pages come from memory, with other
        /// ids (ejabberd).
        var switchesOffAfterPages: Int?
        /// True to refuse the next page with an error that may be over soon.
        var isBusy = false
        var joins = 0
        /// The number of times that the account left its room.
        var leaves = 0
        /// The rooms of the account's bookmarks; nil for a server that refuses to tell.
        var bookmarks: [String]? = []
        var bookmarkQuestions = 0
        /// The answers of the account to the server's own questions.
        var answers: [XMPPElement] = []
        var subject = ""
    }

    let state = Watched(State())

    init(_ change: (inout State) -> Void = { _ in }) { state.change(change) }

    func withConnection<Outcome: Sendable>(
        host: String, port: Int, _ body: @Sendable (any Connection) async -> Outcome
    ) async throws(ConnectionError) -> Outcome {
        guard !state.value.isDown else { throw ConnectionError(code: .refused, detail: "the server is down") }
        let connection = FakeXMPPConnection(self)
        state.change { $0.connections.append(connection) }
        defer {
            connection.end()
            state.change { state in state.connections.removeAll { $0 === connection } }
        }
        return await body(connection)
    }

    /// Breaks the connections, as a router does that restarts.
    func cut() {
        for connection in state.value.connections { connection.fail() }
    }

    /// Says something in the room, as a person in it. Everybody in the room hears it.
    ///
    /// - Parameters:
    ///   - id: The sender's id.
    ///   - extra: Further parts of the message.
    /// - Returns: The room's id.
    @discardableResult
    func say(
        _ text: String, by nick: String = "alice", id: String = "", extra: String = "", isArchived: Bool = true
    ) -> String {
        let (roomID, stanza) = state.change { state -> (String, String) in
            let roomID = state.newID()
            let sender = id.isEmpty ? "c\(roomID)" : id
            let body = text.isEmpty ? "" : "<body>\(XMPPElement.escape(text))</body>"
            let inner = "type='groupchat' from='r@muc.example/\(nick)' id='\(sender)'>\(body)\(extra)"
            if isArchived, state.room.hasArchive {
                state.room.messages.append(
                    Archived(id: roomID, time: state.time, message: "<message xmlns='jabber:client' \(inner)</message>")
                )
            }
            let stamp =
                state.room.hasArchive ? "<stanza-id xmlns='urn:xmpp:sid:0' by='r@muc.example' id='\(roomID)'/>" : ""
            let stanza = "<message to='me@example/x' \(inner)\(stamp)</message>"
            state.memory = (state.memory + [(state.time, stanza)]).suffix(20)
            return (roomID, stanza)
        }
        deliver(stanza)
        return roomID
    }

    /// Sends the account a message, or lets another client of it send one.
    @discardableResult
    func tell(
        _ text: String, from: String = "bob@example/x", to: String = "me@example", id: String = "d", extra: String = "",
        isDelivered: Bool = true
    ) -> String {
        let (archiveID, inner) = state.change { state -> (String, String) in
            let archiveID = state.newID()
            let body = text.isEmpty ? "" : "<body>\(XMPPElement.escape(text))</body>"
            let inner = "type='chat' from='\(from)' to='\(to)' id='\(id)'>\(body)\(extra)"
            state.own.messages.append(
                Archived(id: archiveID, time: state.time, message: "<message xmlns='jabber:client' \(inner)</message>"))
            return (archiveID, inner)
        }
        guard isDelivered else { return archiveID }
        let stamp = "<stanza-id xmlns='urn:xmpp:sid:0' by='me@example' id='\(archiveID)'/>"
        if from.hasPrefix("me@example") {
            deliver(
                "<message from='me@example' to='me@example/x'><sent xmlns='urn:xmpp:carbons:2'>"
                    + "<forwarded xmlns='urn:xmpp:forward:0'><message xmlns='jabber:client' \(inner)\(stamp)</message>"
                    + "</forwarded></sent></message>")
        } else {
            deliver("<message \(inner)\(stamp)</message>")
        }
        return archiveID
    }

    /// Switches the archive of the room, as its owner does.
    func switchArchive(isOn: Bool) {
        state.change { ($0.room.hasArchive, $0.switchesOffAfterPages) = (isOn, nil) }
        deliver(Self.change)
    }

    /// The room's notice of a changed configuration.
    static let change =
        "<message type='groupchat' from='r@muc.example'><x xmlns='http://jabber.org/protocol/muc#user'>"
        + "<status code='104'/></x></message>"

    /// Sends a stanza to the account, now or when it resumes its stream.
    func deliver(_ stanza: String) {
        let connection = state.change { state -> FakeXMPPConnection? in
            let open = state.connections.last { $0.isJoined }
            if open == nil { state.kept.append(stanza) }
            return open
        }
        connection?.deliver(stanza)
    }

    /// Waits until the account is in the room, for the given time.
    func joined(_ count: Int = 1) async { await state.wait { $0.joins >= count } }
}

extension FakeXMPPServer.State {
    mutating func newID() -> String {
        nextID += 1
        time = max(.now(), time.advanced(byMicroseconds: 1))
        return "\(nextID)"
    }
}
