import ChatModel
import Sessions
import XMPPWire

/// Joins the rooms of a connection one after the other, and makes sure that the account stays in them.
struct XMPPRoomKeeper: Sendable {
    let link: XMPPLink

    private var mailbox: Mailbox<XMPPSession> { link.mailbox }
    private var configuration: XMPPConfiguration { link.configuration }

    /// Joins each room that is due, and asks quiet ones whether the account is still in them.
    func keepJoined() async -> SessionEnd? {
        while !Task.isCancelled {
            let next = mailbox.withSession { session in
                session.rooms.values.compactMap { room in room.due.map { (due: $0, address: room.address) } }
                    .min { ($0.due, "\($0.address)") < ($1.due, "\($1.address)") }
            }
            guard let next, next.due <= mailbox.elapsed else {
                await link.roomWork.wait(next.map { $0.due - mailbox.elapsed }, of: link.clock)
                continue
            }
            let isInside = mailbox.withSession { session in
                session.rooms[next.address]?.due = nil
                return session.rooms[next.address]?.isInside ?? false
            }
            if isInside { await check(next.address) } else { await join(next.address) }
        }
        return nil
    }

    /// Asks the room about itself, so that we do not create it, and joins it if it is there.
    private func join(_ address: JID) async {
        guard let info = await info(of: address) else { return }
        let heard = info.hasArchive ? [] : await newestMessages(of: address)
        let presence = link.apply { session -> XMPPElement? in
            session.rooms[address]?.beginJoin(info, heard: heard)
            return session.rooms[address]?.joinPresence
        }
        guard let presence else { return }
        let answer = await link.calls.ask(
            Self.joinID(address), of: address, within: configuration.answerTimeout, clock: link.clock
        ) { link.send(presence) }
        if answer == nil, !Task.isCancelled {
            link.apply { session in
                guard session.rooms[address]?.isInside == false else { return }
                session.refuse(address, .notJoined, "the room did not answer")
            }
        }
    }

    /// The number of messages to compare with the history of a join, which has 20 of them (Prosody 0.12.3, ejabberd 23.01).
    private static let comparedMessages = 100

    /// Returns the newest stored messages of a room; none if they can't be read.
    private func newestMessages(of address: JID) async -> [StoredPoint] {
        guard let room = mailbox.withSession({ $0.rooms[address]?.reference }) else { return [] }
        await mailbox.waitUntilStored()
        return (try? await link.archive.lastMessages(room: room, limit: Self.comparedMessages)) ?? []
    }

    private static func joinID(_ address: JID) -> String { "join \(address)" }

    /// Ends the attempt to join a room, after its answer.
    func settle(_ address: JID) {
        _ = link.calls.answer(
            Self.joinID(address), with: XMPPElement("presence", [:], []), from: address, account: link.account)
        link.roomWork.set()
        if mailbox.withSession({ $0.rooms[address]?.isInside ?? false }) { link.history.queueMissing(address) }
    }

    /// Asks a room about itself. Notes the reason if there is no room.
    private func info(of address: JID) async -> DiscoInfo? {
        let answer = await link.ask({ DiscoInfo.query(to: address, id: $0) }, of: address)
        guard !Task.isCancelled else { return nil }
        guard let answer else {
            link.apply { $0.refuse(address, .notJoined, "the room's server did not answer") }
            return nil
        }
        if let condition = answer.element.errorCondition {
            let isMissing = ["item-not-found", "gone", "remote-server-not-found"].contains(condition)
            link.apply { $0.refuse(address, isMissing ? .noSuchRoom : .notJoined, answer.element.roomErrorWords) }
            return nil
        }
        let info = DiscoInfo(answer.element)
        guard info.isRoom else {
            link.apply { $0.refuse(address, .noSuchRoom, "the address is not a room") }
            return nil
        }
        return info
    }

    /// Asks a changed room about itself, and then for what is missing.
    ///
    /// - Parameter before: The room before the question.
    private func learnChange(of address: JID, _ before: XMPPRoom) async {
        let answer = await link.ask({ DiscoInfo.query(to: address, id: $0) }, of: address)?.element
        // Without an answer, the next question may be answered, also after a resumption.
        guard let answer, answer["type"] == "result" else { return }
        let info = DiscoInfo(answer)
        link.apply { session in
            session.rooms[address]?.learn(info, changes: before.changes)
            guard let room = session.rooms[address] else { return }
            session.step.events.append(.roomListed(room.listing, at: session.receipts.next()))
        }
        link.history.queueMissing(address, retriesLost: info.hasArchive && !before.hasArchive)
    }

    /// Asks whether the account is still in a room (XEP-0410), and asks the room about itself if it has changed.
    private func check(_ address: JID) async {
        guard let room = mailbox.withSession({ $0.rooms[address] }) else { return }
        if room.isChanged { await learnChange(of: address, room) }
        guard let nick = mailbox.withSession({ $0.rooms[address]?.nick }) else { return }
        let own = address.with(resource: nick)
        let ping = XMPPElement("ping", XMPPNamespace.ping, [:], [])
        let answer = await link.ask({ XMPPElement("iq", ["type": "get", "id": $0, "to": "\(own)"], [ping]) }, of: own)
        let condition = answer?.element.errorCondition
        link.apply { session in
            guard session.rooms[address]?.isInside == true else { return }
            if let condition, ["not-acceptable", "item-not-found", "gone"].contains(condition) {
                session.lost(address, XMPPRoomEnd(.left, "the account is not in the room any more (\(condition))"))
                session.rooms[address]?.due = session.elapsed
            } else {
                let hasNews = session.rooms[address].map { $0.changes > room.changes } ?? false
                session.rooms[address]?.due = session.elapsed + (hasNews ? .zero : session.configuration.selfPing)
            }
        }
    }
}

extension XMPPRoom {
    /// The presence with which to join. Where the room has an archive, that has the history.
    var joinPresence: XMPPElement {
        var parts: [XMPPElement] = []
        if hasArchive { parts.append(XMPPElement("history", XMPPNamespace.muc, ["maxstanzas": "0"], [])) }
        if let password = wish.password { parts.append(XMPPElement("password", XMPPNamespace.muc, text: password)) }
        return XMPPElement(
            "presence", ["to": "\(address.with(resource: nick))"], [XMPPElement("x", XMPPNamespace.muc, [:], parts)])
    }
}
