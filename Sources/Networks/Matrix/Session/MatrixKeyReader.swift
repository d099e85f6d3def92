import ChatModel
import LogFormats
import Logging
import MatrixWire
import Sessions

/// Reads encrypted events with the keys of the account's backup, which it requests when events need them.
struct MatrixKeyReader: Sendable {
    let client: MatrixClient
    let keyring: MatrixKeyring
    let archive: any ListenerState
    /// The account's id.
    let user: String

    /// The number of sessions of a room above which all of the room are requested at once. One takes 6 ms, and 5,000 take
    /// 300 ms.
    private static let fewSessions = 3
    /// The number of messages that are read from the archive at once, of at most 64 KiB each.
    private static let pageSize = 100

    static let noBackup = DecryptionError("the account has no key backup; turn it on in a client")

    /// True if the account has a recovery key.
    var isActive: Bool { client.configuration.hasRecovery }

    /// Finds the account's newest key backup, or its changes.
    ///
    /// - Returns: True if it has changed.
    /// - Throws: ``DecryptionError`` with the reason for people, ``CallError``, `CancellationError`.
    func refresh() async throws -> Bool {
        guard let version = try await client.backupVersion() else {
            throw Self.noBackup
        }
        if let known = keyring.backup, (try? known.key.check(version)) != nil {
            return keyring.use(MatrixKeyring.Backup(key: known.key, version: version))
        }
        let key = try await MatrixBackupOpening(client: client, user: user).key(of: version)
        return keyring.use(MatrixKeyring.Backup(key: key, version: version))
    }

    /// Returns the events of a room with those decrypted whose keys the backup has.
    ///
    /// - Parameter events: In the order of time.
    func opened(_ events: [MatrixSync.Event], in room: RoomReference) async throws -> [MatrixSync.Event] {
        guard isActive else { return events }
        let encrypted = events.compactMap { $0.bytes.flatMap(EncryptedEvent.init) }
        guard !encrypted.isEmpty else { return events }
        try await noteDecrypted(in: room)
        try await request(Set(encrypted.map { MatrixKeyFile.Place(room: room.key, session: $0.session) }))
        return events.map { event in
            var event = event
            event.opened = event.bytes.flatMap { opened($0, in: room) }
            return event
        }
    }

    /// Returns an event without its encryption; nil if it has none or can't be decrypted.
    private func opened(_ bytes: [UInt8], in room: RoomReference) -> MatrixEvent? {
        guard let event = EncryptedEvent(bytes) else { return nil }
        switch keyring.open(bytes, room: room.key) {
        case .read(let opened): return opened
        case .noKey: return nil
        case .failed(let reason):
            client.logger.info(
                "a message can't be decrypted",
                metadata: ["room": "\(room.name)", "message": "\(event.id)", "reason": "\(reason)"])
            return nil
        }
    }

    /// Notes the messages of a room that were decrypted before, of which others may be copies.
    func noteDecrypted(in room: RoomReference) async throws {
        guard !keyring.isNoted(room.key) else { return }
        try await forEach(in: room, areDecrypted: true) { messages in messages.forEach(keyring.note) }
        keyring.finishNoting(room.key)
    }

    /// Gives the encrypted messages of a room in the order of time, some at once.
    func forEach(
        in room: RoomReference, areDecrypted: Bool, _ take: ([EncryptedMessage]) async throws -> Void
    ) async throws {
        var after: MessageID?
        while true {
            let messages = try await archive.encryptedMessages(
                room: room, after: after, limit: Self.pageSize, areDecrypted: areDecrypted)
            guard let last = messages.last else { return }
            try await take(messages)
            after = last.id
        }
    }

    /// Notes that the events of a room which are still encrypted wait for their keys. Call this after ``opened(_:in:)``, when
    /// the events are in the buffer.
    func noteMissing(_ events: [MatrixSync.Event], room: String) {
        guard isActive else { return }
        let encrypted = events.filter { $0.opened == nil }.compactMap { $0.bytes.flatMap(EncryptedEvent.init) }
        keyring.addMissing(Set(encrypted.map { MatrixKeyFile.Place(room: room, session: $0.session) }))
    }

    /// Requests those sessions that are not known.
    ///
    /// - Throws: ``CallError`` if the login is refused, `CancellationError`.
    func request(_ places: Set<MatrixKeyFile.Place>) async throws {
        let unknown = places.filter { !keyring.has($0) }
        guard let backup = keyring.backup else { return }
        for (room, places) in Dictionary(grouping: unknown, by: \.room).sorted(by: { $0.key < $1.key })
        where !keyring.isPaused {
            do {
                try await request(places, of: room, backup)
            } catch let error as CallError where error.code != .needsLogin {
                keyring.pause()
                client.logger.warning("keys can't be requested", metadata: ["reason": "\(error.detail)"])
            }
        }
    }

    private func request(
        _ places: [MatrixKeyFile.Place], of room: String, _ backup: MatrixKeyring.Backup
    ) async throws {
        let version = backup.version.version
        guard places.count > Self.fewSessions else {
            for place in places {
                if let session = try await client.backedUpSession(place, version: version) {
                    add(session, at: place, backup)
                }
            }
            return
        }
        guard keyring.beginRequest(of: room) else { return }
        do {
            try await client.backedUpSessions(room: room, version: version) { item in
                if let session = item.session { add(session, at: item.place, backup) }
            }
        } catch {
            keyring.endRequest(of: room)
            throw error
        }
    }

    private func add(_ session: BackedUpSession, at place: MatrixKeyFile.Place, _ backup: MatrixKeyring.Backup) {
        do throws(DecryptionError) {
            keyring.add(try backup.key.decrypt(session, id: place.session), at: place)
        } catch {
            client.logger.warning(
                "a key of the backup can't be used", metadata: ["session": "\(place.session)", "reason": "\(error)"])
        }
    }
}
