import Foundation
import MatrixWire
import Sessions
import TestSupport
import Testing

@testable import Matrix

/// A keyring knows which messages still wait for their keys.
struct MatrixKeyringTests {
    private let keyring = MatrixKeyring()
    private let place = MatrixKeyFile.Place(room: KeyBackupSample.room, session: KeyBackupSample.session)

    private func addSession() throws {
        let key = try #require(Data(base64Encoded: KeyBackupSample.privateKey + "="))
        let session = try JSONDecoder().decode(BackedUpSession.self, from: Data(KeyBackupSample.backedUp.utf8))
        keyring.add(try KeyBackup(privateKey: Array(key)).decrypt(session, id: place.session), at: place)
    }

    @Test func `messages wait until their session is known and they were read`() throws {
        keyring.addMissing([place])
        keyring.settle(place.room, through: keyring.additions.value)
        #expect(keyring.missing == [place.room: [place]], "the session is unknown")
        try addSession()
        #expect(!keyring.isComplete, "the messages were not read")
        keyring.settle(place.room, through: keyring.additions.value)
        #expect(keyring.isComplete)
    }

    @Test func `a message that comes while others are read is read the next time`() throws {
        keyring.addMissing([place])
        let before = keyring.additions.value
        try addSession()
        keyring.addMissing([place])
        keyring.settle(place.room, through: before)
        #expect(keyring.missing == [place.room: [place]])
        keyring.settle(place.room, through: keyring.additions.value)
        #expect(keyring.isComplete)
    }

    @Test func `all sessions of a room are requested once until the backup changes`() throws {
        func backup(etag: String) throws -> MatrixKeyring.Backup {
            let version = """
                {"version": "1", "algorithm": "x", "auth_data": {}, "etag": "\(etag)"}
                """
            return MatrixKeyring.Backup(
                key: try KeyBackup(privateKey: KeyBackupSample.recoveryKeyBytes),
                version: try JSONDecoder().decode(KeyBackupVersion.self, from: Data(version.utf8)))
        }
        #expect(try keyring.use(backup(etag: "1")))
        #expect(keyring.beginRequest(of: place.room) && !keyring.beginRequest(of: place.room))
        #expect(try !keyring.use(backup(etag: "1")))
        #expect(!keyring.beginRequest(of: place.room))
        #expect(try keyring.use(backup(etag: "2")))
        #expect(keyring.beginRequest(of: place.room))
    }

    @Test func `after a failed request, none is made until the backup is found again`() throws {
        keyring.pause()
        #expect(keyring.isPaused)
        let version = try JSONDecoder().decode(
            KeyBackupVersion.self, from: Data(#"{"version": "1", "algorithm": "x", "auth_data": {}}"#.utf8))
        let key = try KeyBackup(privateKey: KeyBackupSample.recoveryKeyBytes)
        _ = keyring.use(MatrixKeyring.Backup(key: key, version: version))
        #expect(!keyring.isPaused)
    }
}
