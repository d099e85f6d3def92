import Crypto
import Foundation
import MatrixWire
import TestSupport

extension FuzzTarget {
    /// The answers of a homeserver.
    static let matrix = FuzzTarget("matrix") { input in
        let parts = Parts(input).parts
        try requireEqual(Synced(parts), Synced([input]), "items of a split answer")
        var (whole, split) = (MatrixMessages(), MatrixMessages())
        let isWhole = (try? whole.readPart(input)) != nil
        let isSplit = (try? parts.forEach { try split.readPart($0) }) != nil
        try requireEqual(isSplit, isWhole, "the form of a split answer")
        if isWhole {
            try requireEqual(split.events + split.state, whole.events + whole.state, "events of a split answer")
            try requireEqual(split.isComplete, whole.isComplete, "the end of a split answer")
        }
        for status in [400, 401, 403, 404, 429, 500] { _ = MatrixRefusal(status: status, body: input).reaction }
        _ = (MatrixStrippedEvent(input), MatrixAccountData(event: input))
        _ = MatrixReceipt.latest(in: input, of: "@a:b")
    }

    /// Encrypted messages, and key files. The first byte chooses one of them.
    static let megolm = FuzzTarget("megolm", limit: 2048) { input in
        let bytes = Array(input.dropFirst())
        switch (input.first ?? 0) % 4 {
        // More rounds only take longer.
        case 0: _ = try? MatrixKeyFile(bytes, passphrase: MegolmSample.passphrase, maximumRounds: 1000)
        case 1: try decrypt(signed: bytes)
        case 2:
            var session = MegolmSession(exported: MegolmSample.key)
            _ = try? session?.decrypt(bytes.text)
        default:
            var session = MegolmSession(exported: bytes.text)
            for number in [0, 256] { _ = try? session?.decrypt(MegolmSample.messages[number] ?? "") }
        }
    }

    /// Recovery keys, and what a homeserver has of secrets and backups. The first byte chooses one of them.
    static let keyBackup = FuzzTarget("keybackup", limit: 2048) { try readKeys($0) }

    private static func readKeys(_ input: [UInt8]) throws {
        let bytes = Array(input.dropFirst())
        guard let key = try? RecoveryKey(text: KeyBackupSample.recoveryKey),
            let backup = try? KeyBackup(privateKey: key.bytes)
        else { throw BrokenRule(description: "the sample can't be read") }
        switch (input.first ?? 0) % 6 {
        case 0: _ = try? RecoveryKey(text: bytes.text)
        case 1:
            guard let found = try? JSONDecoder().decode(SecretStorageKey.self, from: Data(bytes)) else { return }
            _ = try? found.accepts(key)
            // More rounds only take longer.
            if let method = found.passphrase { _ = try? RecoveryKey(passphrase: "x", method, maximumRounds: 1000) }
        case 2:
            let secret = try? JSONDecoder().decode(StoredSecret.self, from: Data(bytes))
            let texts = secret.map { Array($0.encrypted.values.prefix(3)) } ?? []
            for text in texts {
                _ = try? text.decrypt(KeyBackup.secretName, with: key)
            }
        case 3:
            let session = try? JSONDecoder().decode(BackedUpSession.self, from: Data(bytes))
            _ = session.map { try? backup.decrypt($0, id: KeyBackupSample.session) }
        case 4:
            let version = try? JSONDecoder().decode(KeyBackupVersion.self, from: Data(bytes))
            _ = version.map { try? backup.check($0) }
        default: try requireSameSessions(bytes)
        }
    }

    private static func requireSameSessions(_ bytes: [UInt8]) throws {
        for room in [nil, "!r:x"] {
            let parts = Parts(bytes).parts
            var (whole, split) = (BackedUpSessions(room: room), BackedUpSessions(room: room))
            guard let found = try? whole.readItems(bytes),
                let inParts = try? parts.flatMap({ try split.readItems($0) })
            else { continue }
            try requireEqual(inParts, found, "sessions of a split answer")
        }
    }

    /// Decrypts bytes as a message that its sender signed, so that more than the signature is read.
    private static func decrypt(signed bytes: [UInt8]) throws {
        guard let signer = try? Curve25519.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: 7, count: 32)),
            let signature = try? signer.signature(for: bytes)
        else { throw BrokenRule(description: "a message can't be signed") }
        let key = [1, 0, 0, 0, 5] + [UInt8](repeating: 9, count: 128) + signer.publicKey.rawRepresentation
        guard var session = MegolmSession(exported: Data(key).base64EncodedString()) else {
            throw BrokenRule(description: "a key can't be read")
        }
        _ = try? session.decrypt(Data(bytes + signature).base64EncodedString())
    }
}

/// The items of an answer to a sync, and its end.
private struct Synced: Equatable {
    private var items: [MatrixSync.Item] = []
    private var failed = false

    init(_ parts: [[UInt8]]) {
        var sync = MatrixSync()
        do {
            for part in parts { items += try sync.readItems(part) }
            items += try sync.finish()
        } catch {
            // The items before the error depend on the parts.
            (items, failed) = ([], true)
        }
    }
}
