import ChatModel
import Sessions
import Synchronization
import XMPPWire

/// Tries an account: connects, logs in, and asks the server and the rooms about themselves. Sends no presence, joins no
/// room, and stores nothing.
final class XMPPTrial: Sendable {
    private let configuration: XMPPConfiguration
    private let connection: any Connection
    private let clock: any Clock<Duration>
    private let calls = XMPPCalls()
    private let outbox = AsyncStream<[UInt8]>.makeStream(bufferingPolicy: .bufferingOldest(1024))
    private let isSettled = Signal()
    /// The outcome of the login, or the reason why there is none.
    private let outcome = Mutex<Result<XMPPLogin.Outcome, ConnectionError>?>(nil)

    private init(_ configuration: XMPPConfiguration, _ connection: any Connection, _ clock: any Clock<Duration>) {
        (self.configuration, self.connection, self.clock) = (configuration, connection, clock)
    }

    /// Tries the servers one after the other until one connects.
    static func findings(
        _ configuration: XMPPConfiguration, at servers: [XMPPServer], clock: any Clock<Duration>
    ) async -> [ConnectionFinding] {
        var failure = "the domain \(configuration.account.domain) has no XMPP server; set server"
        for server in servers {
            do throws(ConnectionError) {
                return try await server.connector.withConnection(host: server.host, port: server.port) { connection in
                    await XMPPTrial(configuration, connection, clock).run()
                }
            } catch {
                failure = error.detail
            }
        }
        return [ConnectionFinding(.failure, failure)]
    }

    private func run() async -> [ConnectionFinding] {
        let login = XMPPLogin(
            domain: configuration.account.domain, resource: "",
            credentials: configuration.credentials(configuration.secrets))
        return await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.read(login) }
            group.addTask {
                for await bytes in self.outbox.stream {
                    guard (try? await self.connection.send(bytes)) != nil else { return }
                }
            }
            outbox.continuation.yield(login.header)
            await within(configuration.loginTimeout, of: clock) { [isSettled] in await isSettled.wait() }
            let findings = await findings()
            outbox.continuation.yield(Array("</stream:stream>".utf8))
            group.cancelAll()
            return findings
        }
    }

    private func read(_ first: XMPPLogin) async {
        var (login, splitter) = (first, StanzaSplitter())
        do {
            let failure = try await connection.forEachRead { received -> String? in
                let (units, failure) = splitter.split(received.bytes)
                for unit in units {
                    guard !isSettled.isSet else {
                        answer(unit)
                        continue
                    }
                    let actions = login.take(unit)
                    for action in actions {
                        switch action {
                        case .send(let bytes): outbox.continuation.yield(bytes)
                        case .restart: splitter = StanzaSplitter()
                        case .finish(let outcome): settle(.success(outcome))
                        }
                    }
                    // The server waits for our new header.
                    if actions.contains(.restart) { return nil }
                }
                return failure
            }
            settle(.failure(ConnectionError(code: .other, detail: failure ?? "the server closed the connection")))
        } catch {
            settle(.failure(error))
        }
    }

    private func settle(_ new: Result<XMPPLogin.Outcome, ConnectionError>) {
        outcome.withLock { $0 = $0 ?? new }
        isSettled.set()
    }

    private func answer(_ unit: StanzaSplitter.Unit) {
        guard case .stanza(let stanza) = unit, case .success(let element) = stanza.content, element.name == "iq",
            ["result", "error"].contains(element["type"]), let id = element["id"]
        else { return }
        _ = calls.answer(id, with: element, from: element.from, account: configuration.account)
    }

    private func findings() async -> [ConnectionFinding] {
        switch outcome.withLock({ $0 }) {
        case nil: return [ConnectionFinding(.failure, "the server did not finish the login in time")]
        case .failure(let error): return [ConnectionFinding(.failure, error.detail)]
        case .success(.failed(let failure)): return [ConnectionFinding(.failure, failure.detail)]
        case .success(.resumed): return []
        case .success(.bound(let address, let hasManagement)):
            var findings = [ConnectionFinding(.fact, "logged in as \(address.bare)")]
            if !hasManagement {
                findings.append(
                    ConnectionFinding(
                        .warning, "the server can't resume a broken connection (XEP-0198), so joins and leaves are lost"
                    ))
            }
            if configuration.archivesDirect { findings.append(await conversations()) }
            for room in await rooms(&findings) { findings.append(await finding(of: room)) }
            return findings
        }
    }

    private func ask(_ question: (_ id: String) -> XMPPElement, of peer: JID?) async -> XMPPElement? {
        let id = calls.nextID()
        return await calls.ask(id, of: peer, within: configuration.answerTimeout, clock: clock) {
            outbox.continuation.yield(question(id).encoded)
        }?.element
    }

    private func conversations() async -> ConnectionFinding {
        let account = configuration.account.bare
        let answer = await ask({ DiscoInfo.query(to: account, id: $0) }, of: account)
        let hasArchive = answer.map { DiscoInfo($0).hasArchive } ?? false
        return hasArchive
            ? ConnectionFinding(.fact, "the server archives conversations (XEP-0313)")
            : ConnectionFinding(
                .warning,
                "the server keeps no archive of conversations (XEP-0313); on Prosody: mam in modules_enabled, on ejabberd: "
                    + "mod_mam with default: always")
    }

    /// Returns the rooms of the configuration and of the bookmarks.
    private func rooms(_ findings: inout [ConnectionFinding]) async -> [XMPPRoomWish] {
        guard configuration.joinsBookmarks else { return configuration.rooms }
        guard let bookmarks = await RoomBookmark.all(asking: { await self.ask($0, of: nil) }) else {
            findings.append(ConnectionFinding(.warning, "the server does not say which rooms are bookmarked"))
            return configuration.rooms
        }
        return configuration.rooms(with: bookmarks)
    }

    private func finding(of wish: XMPPRoomWish) async -> ConnectionFinding {
        func found(_ kind: ConnectionFinding.Kind, _ words: String) -> ConnectionFinding {
            ConnectionFinding(kind, "room \(wish.room): \(words)")
        }
        let answer = await ask({ DiscoInfo.query(to: wish.room, id: $0) }, of: wish.room)
        guard let answer else { return found(.warning, "its server did not answer") }
        guard answer.errorCondition == nil else { return found(.failure, answer.roomErrorWords) }
        let info = DiscoInfo(answer)
        guard info.isRoom else { return found(.failure, "the address is not a room") }
        if let refusal = await refusal(of: wish.room, info) { return found(.failure, refusal) }
        if info.needsPassword, wish.password == nil {
            return found(.failure, "needs a password, which room_passwords_file gives")
        }
        var facts: [String] = []
        if info.isMembersOnly { facts.append("for members only") }
        if info.needsPassword { facts.append("needs a password") }
        facts.append(
            info.hasArchive
                ? "has an archive (XEP-0313)"
                : "keeps no archive (XEP-0313); on Prosody: muc_mam, on ejabberd: mod_mam and mam: true in "
                    + "default_room_options")
        return found(info.hasArchive ? .fact : .warning, facts.joined(separator: ", "))
    }

    /// Returns the words by which a room refuses its archive, which it does to whoever may not join: those who are banned,
    /// and those who are not members of a room for members only (Prosody 0.12.3, ejabberd 23.01). Nil for a room that
    /// refuses nothing, and one without an archive, which only a join would show.
    private func refusal(of room: JID, _ info: DiscoInfo) async -> String? {
        guard info.hasArchive else { return nil }
        let answer = await ask({ ArchiveQuery(room: room, before: nil, size: 1).element(id: $0) }, of: room)
        guard let answer, answer.errorCondition == "forbidden" else { return nil }
        return info.isMembersOnly
            ? "only members may join, and the account is none; ask an owner of the room (forbidden)"
            : answer.roomErrorWords
    }
}
