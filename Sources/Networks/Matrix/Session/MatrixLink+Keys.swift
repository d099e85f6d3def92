import ChatModel
import LogFormats
import Logging
import MatrixWire
import Sessions

/// Gives stored messages their texts, when the account's key backup gets their keys.
extension MatrixLink {
    /// Reads the messages that wait for their keys, and asks for new keys while there are such messages.
    func readKeys() async -> SessionEnd? {
        guard keys.isActive else { return nil }
        await hasOpenedKeys.wait()
        let limits = configuration.keyBackoff
        var (isFirst, pause, known) = (true, limits.first, 0)
        do {
            while !Task.isCancelled {
                let additions = keys.keyring.additions.value
                let isNew = additions != known
                if isNew { (pause, known) = (limits.first, additions) }
                let isRetry = keys.keyring.isPaused
                if let isChanged = try await refreshKeys() {
                    if isFirst {
                        try await readAllWaiting()
                        isFirst = false
                    } else if isChanged || isNew || isRetry {
                        try await readMissing()
                    }
                }
                await waitForKeys(after: known, isFirst ? pause : keys.keyring.isComplete ? nil : pause)
                pause = min(pause * 2, limits.longest)
            }
            return nil
        } catch {
            return end(of: error)
        }
    }

    /// Finds the key backup before the first messages come, so that most are stored with their texts. A homeserver with
    /// trouble does not delay them for long.
    func openKeys() async {
        await within(Self.openingLimit, of: listener.tools.clock) { _ = try? await self.refreshKeys() }
        hasOpenedKeys.set()
    }

    /// The secret storage takes some calls, and a passphrase some seconds of hashing.
    private static let openingLimit = Duration.seconds(30)

    /// Finds the key backup, or reports why it can't be used.
    ///
    /// - Returns: True if the backup has changed; nil if it can't be used.
    func refreshKeys() async throws -> Bool? {
        guard keys.isActive else { return nil }
        do {
            let isChanged = try await keys.refresh()
            noteKeyError(nil)
            return isChanged
        } catch let error as DecryptionError {
            noteKeyError(error.reason)
        } catch let error as CallError where error.code != .needsLogin {
            noteKeyError(error.detail)
        }
        return nil
    }

    /// Reports a reason why encrypted messages can't be read, once.
    private func noteKeyError(_ reason: String?) {
        let isNew = mailbox.withSession { state in
            defer { state.keyError = reason }
            return state.keyError != reason
        }
        guard isNew else { return }
        reporter.noteError(reason.map { "encrypted messages stay encrypted: \($0)" })
        if let reason {
            listener.tools.logger.warning("encrypted messages stay encrypted", metadata: ["reason": "\(reason)"])
        }
    }

    /// Waits until another key is missing.
    ///
    /// - Parameters:
    ///   - known: The number of additions that are known.
    ///   - pause: The limit of the wait; nil for none.
    private func waitForKeys(after known: Int, _ pause: Duration?) async {
        let additions = keys.keyring.additions
        @Sendable func waitForAddition() async {
            for await count in additions.values() where count != known { return }
        }
        guard let pause else { return await waitForAddition() }
        await within(pause, of: listener.tools.clock) {
            // A client uploads the key of a message some seconds after the message.
            await waitForAddition()
            try? await self.listener.tools.clock.sleep(for: self.configuration.keyBackoff.first)
        }
    }

    /// Reads all stored messages that wait, of all rooms.
    private func readAllWaiting() async throws {
        await buffer.waitUntilStored()
        for room in try await archive.encryptedRooms() {
            var places: Set<MatrixKeyFile.Place> = []
            try await keys.forEach(in: room, areDecrypted: false) { messages in
                for event in messages.compactMap({ EncryptedEvent($0.raw) }) {
                    places.insert(MatrixKeyFile.Place(room: room.key, session: event.session))
                }
            }
            try await keys.request(places)
            keys.keyring.addMissing(places.filter { !keys.keyring.has($0) })
            if places.contains(where: keys.keyring.has) { try await readWaiting(in: room) }
        }
    }

    /// Requests the missing keys, and reads the messages of those that came.
    private func readMissing() async throws {
        for (room, places) in keys.keyring.missing.sorted(by: { $0.key < $1.key }) {
            try await keys.request(places)
            guard places.contains(where: keys.keyring.has) else { continue }
            let additions = keys.keyring.additions.value
            await buffer.waitUntilStored()
            try await readWaiting(in: reference(of: room))
            keys.keyring.settle(room, through: additions)
        }
    }

    /// Reads the stored messages of a room whose keys are known.
    private func readWaiting(in room: RoomReference) async throws {
        try await keys.noteDecrypted(in: room)
        var (read, reason): (Int, String?) = (0, nil)
        try await keys.forEach(in: room, areDecrypted: false) { messages in
            let at = now()
            var events: [ChatEvent] = []
            for message in messages {
                switch keys.keyring.open(message.raw, room: message.room.key) {
                case .read(let event):
                    events += texts(of: event, message, at: at)
                    read += 1
                case .noKey: break
                case .failed(let why): reason = why
                }
            }
            buffer.push(events)
            await buffer.waitForSpace()
        }
        if read > 0 {
            listener.tools.logger.info(
                "decrypted messages whose keys came later", metadata: ["room": "\(room.name)", "messages": "\(read)"])
        }
        if let reason {
            listener.tools.logger.warning(
                "some messages can't be decrypted", metadata: ["room": "\(room.name)", "reason": "\(reason)"])
        }
    }

    /// Returns the events that give a stored message its text. An edit is a message of its own already.
    private func texts(of event: MatrixEvent, _ message: EncryptedMessage, at: Timestamp) -> [ChatEvent] {
        let sender = UserReference(
            key: message.sender.key, name: message.sender.name, isSelf: message.sender.key == me)
        let rows = MatrixRows(event: event, session: session, room: message.room, at: at, sender: sender)
        func text(_ said: MatrixEvent.Said, replyTo: String? = nil) -> ChatEvent {
            .message(rows.message(said, replyTo: replyTo), .replay(Occurrence(), .microsecond))
        }
        switch event.meaning {
        case .message(let said, let replyTo): return [text(said, replyTo: replyTo)]
        case .edit(let target, let said):
            var own = said
            own.body = said.body.map { "* \($0)" }
            return [text(own), rows.edit(said, of: target)]
        default:
            let words = MatrixRoomKeys.words(for: event)
            return [text(MatrixEvent.Said(kind: .action, body: words, flags: .encrypted))]
        }
    }
}
