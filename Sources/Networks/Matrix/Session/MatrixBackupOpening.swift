import ChatModel
import Dispatch
import Logging
import MatrixWire
import Sessions

/// Finds the private key of an account's key backup, by the account's secret storage, and keeps it between runs.
struct MatrixBackupOpening: Sendable {
    let client: MatrixClient
    /// The account's id.
    let user: String

    /// The content of the file with the backup's private key.
    private struct KeptKey: Codable, Sendable {
        var bytes: [UInt8]
    }

    /// The backup's public key proves that the file has its private key, so the file needs no name of an account.
    private var file: PrivateFile? { client.configuration.backupKeyPath.map { PrivateFile(path: $0) } }

    /// Returns the private key of a backup.
    ///
    /// - Throws: ``DecryptionError`` with the reason for people, ``CallError``, `CancellationError`.
    func key(of version: KeyBackupVersion) async throws -> KeyBackup {
        if let kept = file?.read(KeptKey.self), let key = try? KeyBackup(privateKey: kept.bytes),
            (try? key.check(version)) != nil
        {
            return key
        }
        guard let recovery = client.configuration.recovery() else {
            throw DecryptionError("the file of the recovery key can't be read")
        }
        let key = try await key(by: recovery, of: version)
        try key.check(version)
        await keep(key)
        return key
    }

    private func keep(_ key: KeyBackup) async {
        do {
            try await file?.write(KeptKey(bytes: key.bytes))
        } catch {
            client.logger.warning(
                "the key of the backup could not be saved for the next start", metadata: ["reason": "\(error)"])
        }
    }

    private func key(by recovery: MatrixRecovery, of version: KeyBackupVersion) async throws -> KeyBackup {
        let own = try recovery.key.map { text throws(DecryptionError) in try RecoveryKey(text: text) }
        // Some older clients made no secret storage, and gave the backup's own key to the person.
        if let own, let key = try? KeyBackup(privateKey: own.bytes), (try? key.check(version)) != nil { return key }
        guard let stored = try await client.accountData(KeyBackup.secretName, of: user, StoredSecret.self) else {
            throw DecryptionError("the account's secret storage has no key of the backup; set it up in a client")
        }
        for id in try await ids(of: stored) {
            guard let ciphertext = stored.encrypted[id],
                let description = try await client.accountData(
                    "m.secret_storage.key.\(id)", of: user, SecretStorageKey.self)
            else { continue }
            var key = own
            if key == nil { key = try await made(from: recovery.passphrase, description) }
            guard let key, try description.accepts(key) else { continue }
            return try KeyBackup(privateKey: ciphertext.decrypt(KeyBackup.secretName, with: key))
        }
        throw DecryptionError(
            own == nil
                ? "the passphrase is wrong, or the account has none"
                : "the recovery key belongs to another account, or the account has a newer one")
    }

    private struct DefaultKey: Decodable { var key: String }

    /// The limit of keys that are tried.
    private static let maximumKeys = 10

    /// Returns the ids of the keys for which a secret is encrypted, the default one first.
    private func ids(of secret: StoredSecret) async throws -> [String] {
        let first = try await client.accountData("m.secret_storage.default_key", of: user, DefaultKey.self)?.key
        let others = secret.encrypted.keys.filter { $0 != first }.sorted()
        return Array(((first.map { [$0] } ?? []) + others).prefix(Self.maximumKeys))
    }

    /// Makes a key from a passphrase, on a thread that may take its time; nil without a passphrase.
    private func made(from passphrase: String?, _ description: SecretStorageKey) async throws -> RecoveryKey? {
        guard let passphrase, let method = description.passphrase else { return nil }
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try RecoveryKey(passphrase: passphrase, method) })
            }
        }
    }
}
