import ChatModel
import Logging
import Sessions
import XMPPWire

/// The stream itself: its beginning, its management, and its signs of life.
extension XMPPLink {
    /// Prepares a new stream for messages, or finishes a resumption.
    func begin(hasManagement: Bool) async -> SessionEnd? {
        guard left == nil else { return await finishResumption() }
        if hasManagement { send(XMPPElement("enable", XMPPNamespace.management, ["resume": "true"], [])) }
        if configuration.archivesDirect {
            let carbons = XMPPElement("enable", XMPPNamespace.carbons, [:], [])
            _ = await ask({ XMPPElement("iq", ["type": "set", "id": $0], [carbons]) }, of: nil)
        }
        // Messages to the account stay with its other clients.
        let mark = configuration.joinsBookmarks ? [ClientDescription.followingBookmarks.mark] : []
        send(XMPPElement("presence", [:], [XMPPElement("priority", XMPPNamespace.client, text: "-1")] + mark))
        await learnOwnArchive()
        history.queueDirect()
        await roomList.begin()
        // Not before: an earlier answer about the bookmarks must not come after a later one.
        return await roomList.followBookmarks()
    }

    /// Returns when the connection has an end.
    func forever() async -> SessionEnd? {
        await mailbox.hasEnded.wait()
        return nil
    }

    /// Proves what a resumption brought: the answer to a question comes after all stanzas that the server had kept.
    private func finishResumption() async -> SessionEnd? {
        guard let left else { return nil }
        let ping = XMPPElement("ping", XMPPNamespace.ping, [:], [])
        guard await ask({ XMPPElement("iq", ["type": "get", "id": $0], [ping]) }, of: nil) != nil else {
            return mailbox.end == nil ? SessionEnd(reason: .silent, detail: "the server did not answer") : nil
        }
        let covered = mailbox.withSession { session in
            session.rooms.values.filter(\.isInside).map { room in
                ChatEvent.covered(
                    session: self.session, room: room.reference, from: left.session.heartbeat.lastSignOfLife,
                    to: self.openedAt)
            }
        }
        buffer.push(covered)
        for room in mailbox.withSession({ $0.rooms.values.filter(\.isInside).map(\.address) }) {
            history.queueMissing(room)
        }
        history.queueDirect()
        roomWork.set()
        return await roomList.followBookmarks()
    }

    /// Asks whether the server archives the account's messages. Without an answer, that stays unknown.
    func learnOwnArchive() async {
        guard configuration.archivesDirect else { return }
        let answer = await ask({ DiscoInfo.query(to: self.account, id: $0) }, of: account)?.element
        guard let answer, answer["type"] == "result" else { return }
        let hasArchive = DiscoInfo(answer).hasArchive
        let isNew = apply { session in
            defer { session.ownArchive = hasArchive }
            return session.ownArchive != hasArchive
        }
        guard isNew, !hasArchive else { return }
        reporter.noteError("the server keeps no archive of conversations, so what came meanwhile may be missing")
        listener.tools.logger.warning(
            "the server keeps no archive of the account's messages, so conversations may miss some",
            metadata: ["setting": "Prosody: mam in modules_enabled; ejabberd: mod_mam with default: always"])
        noteWithoutArchive()
    }

    /// Notes the reason at the gaps of conversations, which nothing can fill.
    private func noteWithoutArchive() {
        let rooms = mailbox.withSession { $0.direct.values.sorted { $0.key < $1.key } }
        buffer.push(
            rooms.map { room in
                .unfilled(
                    UnfilledHistory(
                        room: room, from: .earliestPlausible, to: now(), reason: .unsupported,
                        detail: "the server keeps no archive of conversations (XEP-0313)"), at: now())
            })
    }

    /// Takes an element of stream management (XEP-0198).
    func take(management element: XMPPElement) {
        switch element.name {
        case "enabled":
            let kept = element["max"].flatMap { Int($0) } ?? 300
            apply { session in
                session.handled = 0
                let mayResume = ["true", "1"].contains(element["resume"] ?? "")
                session.stream = mayResume ? element["id"].map { ($0, .seconds(kept)) } : nil
            }
        case "r": requests.set()
        default: break
        }
    }

    /// Answers the server's questions with the number of stanzas that are stored.
    func acknowledge() async -> SessionEnd? {
        let late = ConnectionError(code: .timedOut, detail: "the events are not stored yet")
        var stored = mailbox.withSession { $0.handled ?? 0 }
        while !Task.isCancelled {
            await requests.wait(of: clock)
            guard let handled = mailbox.withSession({ $0.handled }) else { continue }
            let isStored = try? await within(configuration.acknowledging, of: clock, else: late) { [mailbox] in
                await mailbox.waitUntilStored()
                return !Task.isCancelled
            }
            guard !Task.isCancelled else { return nil }
            if isStored == true { stored = handled }
            send(XMPPElement("a", XMPPNamespace.management, ["h": "\(stored)"], []))
        }
        return nil
    }

    /// Sends pings, and records signs of life.
    func watch() async -> SessionEnd? {
        while (try? await clock.sleep(for: configuration.signOfLifeInterval)) != nil {
            let end = apply {
                $0.tick(listener.tools.readClocks(), elapsed: mailbox.elapsed, pingID: calls.nextID())
            }
            let alive = mailbox.withSession { $0.receipts.wall(at: $0.heartbeat.lastSignOfLife) }
            reporter.noteSignOfLife(at: alive)
            if let end { return end }
        }
        return nil
    }
}
