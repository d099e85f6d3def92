import Bytes
import MatrixWire
import Sessions

/// Calls for the account's secrets and its key backup (client-server API 1.19, "Secrets" and "Server-side key backups").
extension MatrixClient {
    /// The limit of bytes of all sessions of a room: 842 each.
    private static let sessionsBytes = 256 << 20

    /// Returns the account's newest key backup; nil if it has none.
    ///
    /// - Throws: ``CallError``, `CancellationError`.
    func backupVersion() async throws -> KeyBackupVersion? {
        try await ifFound { try await value(Call(path: "/v3/room_keys/version"), KeyBackupVersion.self) }
    }

    /// Returns a session of a backup; nil if the backup does not have it.
    ///
    /// - Throws: ``CallError``, `CancellationError`.
    func backedUpSession(_ place: MatrixKeyFile.Place, version: String) async throws -> BackedUpSession? {
        let path = "/v3/room_keys/keys/\(PercentCode.encode(place.room))/\(PercentCode.encode(place.session))"
        return try await ifFound {
            try await value(Call(path: path, query: [("version", version)]), BackedUpSession.self)
        }
    }

    /// Gives all sessions of a room, as they come.
    ///
    /// - Throws: ``CallError``, `CancellationError`.
    func backedUpSessions(
        room: String, version: String, _ take: (BackedUpSessions.Item) -> Void
    ) async throws {
        let path = "/v3/room_keys/keys/\(PercentCode.encode(room))"
        let call = Call(path: path, query: [("version", version)], limit: Self.sessionsBytes)
        let reader = try await readAnswer(call, into: { BackedUpSessions(room: room) }) { reader, piece in
            for item in try reader.readItems(piece) { take(item) }
        }
        guard reader.isComplete else { throw CallError(code: .cut, detail: "the answer with keys is incomplete") }
    }

    /// Returns the content of a setting of the account; nil if it has none.
    ///
    /// - Throws: ``CallError``, `CancellationError`.
    func accountData<Content: Decodable>(_ type: String, of user: String, _: Content.Type) async throws -> Content? {
        let path = "/v3/user/\(PercentCode.encode(user))/account_data/\(PercentCode.encode(type))"
        return try await ifFound { try await value(Call(path: path), Content.self) }
    }

    private func ifFound<Value>(_ call: () async throws -> Value) async throws -> Value? {
        do {
            return try await call()
        } catch let error as CallError where error.code == .gone {
            return nil
        }
    }
}
