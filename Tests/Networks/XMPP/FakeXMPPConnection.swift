import Bytes
import ChatModel
import Sessions
import Synchronization
import TestSupport
import XMPPWire

/// A client's connection to a ``FakeXMPPServer``.
final class FakeXMPPConnection: Connection, @unchecked Sendable {
    let server: FakeXMPPServer
    private let reads = AsyncThrowingStream<Received, any Error>.makeStream()
    private let taken = Mutex(0)
    private let hasJoined = Mutex(false)
    /// `@unchecked`: the client sends from one task.
    private var splitter = StanzaSplitter()
    private var isLoggedIn = false

    init(_ server: FakeXMPPServer) { self.server = server }

    var isJoined: Bool { hasJoined.withLock { $0 } }
    /// Lets the server send stanzas to this connection.
    func markJoined() { hasJoined.withLock { $0 = true } }
    var readsTaken: Int { taken.withLock { $0 } }

    func deliver(_ text: String) {
        taken.withLock { $0 += 1 }
        reads.continuation.yield(Received(bytes: Array(text.utf8), at: .now(), filledBuffer: false))
    }

    func end() { reads.continuation.finish() }

    func fail() {
        hasJoined.withLock { $0 = false }
        reads.continuation.finish(throwing: ConnectionError(code: .reset, detail: "the server broke the connection"))
    }

    func forEachRead<Outcome: Sendable>(
        _ body: (Received) async -> Outcome?
    ) async throws(ConnectionError) -> Outcome? {
        do {
            for try await received in reads.stream {
                if let outcome = await body(received) { return outcome }
            }
            return nil
        } catch {
            throw error as? ConnectionError ?? ConnectionError(code: .other, detail: "\(error)")
        }
    }

    func acknowledgement() async -> Acknowledgement? { nil }

    func send(_ bytes: [UInt8]) async throws(ConnectionError) {
        for unit in splitter.split(bytes).units {
            switch unit {
            case .opened: open()
            case .closed:
                let isIgnored = server.state.change { state in
                    state.askedBeforeGoodbye = state.asked.count
                    return state.ignoresGoodbye
                }
                if !isIgnored { end() }
            case .stanza(let stanza):
                if case .success(let element) = stanza.content { take(element) }
            }
        }
    }

    private func open() {
        let features =
            isLoggedIn
            ? "<bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/>"
                + (server.state.value.hasManagement ? "<sm xmlns='urn:xmpp:sm:3'/>" : "")
            : "<mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><mechanism>PLAIN</mechanism></mechanisms>"
        deliver(
            "<?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' "
                + "id='1' from='example'><stream:features>\(features)</stream:features>")
    }

    private func take(_ element: XMPPElement) {
        switch element.name {
        case "auth":
            let isRight = element.text == "AG1lAHNlY3JldA=="
            let answer = isRight ? "<success" : "<failure"
            deliver(
                "\(answer) xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>\(isRight ? "" : "<not-authorized/>")</\(answer.dropFirst())>"
            )
            (isLoggedIn, splitter) = (isRight, StanzaSplitter())
        case "enable": deliver("<enabled xmlns='urn:xmpp:sm:3' id='sm1' resume='true' max='600'/>")
        case "resume": resume(element)
        case "r": deliver("<a xmlns='urn:xmpp:sm:3' h='0'/>")
        case "a": server.state.change { $0.acknowledged = element["h"].flatMap { Int($0) } ?? 0 }
        case "presence" where element.to?.domain == "muc.example" && element["type"] == nil: join(element)
        case "presence" where element.to?.domain == "muc.example" && element["type"] == "unavailable":
            server.state.change { $0.leaves += 1 }
        case "iq": answer(element)
        default: break
        }
    }

    private func resume(_ element: XMPPElement) {
        let handled = element["h"].flatMap { Int($0) } ?? 0
        let state = server.state.value
        guard state.resumes == true else {
            return state.resumes == nil ? end() : deliver("<failed xmlns='urn:xmpp:sm:3'><item-not-found/></failed>")
        }
        hasJoined.withLock { $0 = true }
        deliver("<resumed xmlns='urn:xmpp:sm:3' previd='sm1' h='\(handled)'/>" + state.kept.joined())
        server.state.change { $0.kept = [] }
    }

    private func join(_ element: XMPPElement) {
        let state = server.state.value
        let nick = element.to?.resource ?? ""
        if let error = state.joinError {
            return deliver(
                "<presence type='error' from='r@muc.example/\(nick)'><error type='cancel'>"
                    + "<\(error) xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></presence>")
        }
        hasJoined.withLock { $0 = true }
        for (other, address) in state.occupants.sorted(by: { $0.key < $1.key }) {
            deliver(presence(other, address: address))
        }
        deliver(presence(nick, address: "me@example/x", codes: [110]))
        let history = element.child("x", XMPPNamespace.muc)?.child("history", XMPPNamespace.muc)
        if history?["maxstanzas"] != "0" {
            for (time, stanza) in state.memory {
                let stamp = String(decoding: WrittenTime.utc(microseconds: time.microseconds), as: UTF8.self).prefix(19)
                let delay = "<delay xmlns='\(XMPPNamespace.delay)' from='r@muc.example' stamp='\(stamp)Z'/>"
                deliver(stanza.replacing("</message>", with: delay + "</message>"))
            }
        }
        deliver("<message type='groupchat' from='r@muc.example'><subject>\(state.subject)</subject></message>")
        server.state.change { $0.joins += 1 }
    }

    func presence(_ nick: String, address: String, codes: [Int] = [], type: String = "", item: String = "") -> String {
        let status = codes.map { "<status code='\($0)'/>" }.joined()
        let type = type.isEmpty ? "" : " type='\(type)'"
        return "<presence from='r@muc.example/\(nick)'\(type)><x xmlns='http://jabber.org/protocol/muc#user'>"
            + "<item jid='\(address)' role='participant' affiliation='none'\(item.isEmpty ? "/>" : ">\(item)</item>")\(status)</x></presence>"
    }

    private func answer(_ element: XMPPElement) {
        let id = element["id"] ?? ""
        let from = element["to"].map { " from='\($0)'" } ?? ""
        guard element["type"] == "get" || element["type"] == "set" else {
            return server.state.change { $0.answers.append(element) }
        }
        if element.child("bind", XMPPNamespace.bind) != nil {
            return deliver(
                "<iq type='result' id='\(id)'><bind xmlns='\(XMPPNamespace.bind)'><jid>me@example/x</jid></bind></iq>")
        }
        if element.child("query", XMPPNamespace.discoInfo) != nil { return describe(element["to"] ?? "", id: id) }
        if let query = element.child("query", XMPPNamespace.archive) { return page(query, of: element["to"], id: id) }
        if element.child("pubsub", XMPPNamespace.pubSub) != nil { return listBookmarks(id: id) }
        deliver("<iq type='result' id='\(id)'\(from)/>")
    }

    private func listBookmarks(id: String) {
        let bookmarks = server.state.change { state in
            state.bookmarkQuestions += 1
            return state.bookmarks
        }
        guard let bookmarks else {
            return deliver(
                "<iq type='error' id='\(id)'><error type='wait'>"
                    + "<internal-server-error xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>")
        }
        let items = bookmarks.map {
            "<item id='\($0)'><conference xmlns='\(XMPPNamespace.bookmarks)' autojoin='true'><nick>me</nick></conference></item>"
        }
        deliver(
            "<iq type='result' id='\(id)'><pubsub xmlns='\(XMPPNamespace.pubSub)'>"
                + "<items node='\(XMPPNamespace.bookmarks)'>\(items.joined())</items></pubsub></iq>")
    }

    private func describe(_ address: String, id: String) {
        let isCut = server.state.change { state in
            state.described += 1
            defer { state.cutsAtDescription = false }
            return state.cutsAtDescription
        }
        guard !isCut else { return fail() }
        let state = server.state.value
        if state.isMissing, address.hasPrefix("r@") {
            return deliver(
                "<iq type='error' from='\(address)' id='\(id)'><error type='cancel'>"
                    + "<item-not-found xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>")
        }
        let isRoom = address.hasPrefix("r@")
        let hasArchive = isRoom ? state.room.hasArchive : state.own.hasArchive
        let features = state.features + (hasArchive ? ["urn:xmpp:mam:2"] : [])
        deliver(
            "<iq type='result' from='\(address)' id='\(id)'><query xmlns='\(XMPPNamespace.discoInfo)'>"
                + (isRoom ? "<identity category='conference' type='text' name='The room'/>" : "")
                + features.map { "<feature var='\($0)'/>" }.joined() + "</query></iq>")
    }
}
