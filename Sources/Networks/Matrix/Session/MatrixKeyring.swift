import ChatModel
import MatrixWire
import Sessions
import Synchronization

/// The keys of an account's encrypted rooms, which all its connections share. They are in memory alone.
final class MatrixKeyring: Sendable {
    /// The account's key backup, with its private key.
    struct Backup: Sendable {
        var key: KeyBackup
        var version: KeyBackupVersion
    }

    private struct State {
        var keys = MatrixRoomKeys()
        /// The sessions that stored messages wait for, by room, each with the number of its last addition.
        var missing: [String: [String: Int]] = [:]
        var additions = 0
        /// The rooms whose decrypted messages were noted.
        var noted: Set<String> = []
        /// The rooms whose sessions were all requested since the backup's last change.
        var requested: Set<String> = []
        var backup: Backup?
        /// True after a request that failed, until the backup is found again.
        var isPaused = false
    }

    private let state = Mutex(State())
    /// The number of additions of messages that wait.
    let additions = WatchedValue(0)

    var backup: Backup? { state.withLock { $0.backup } }

    var isComplete: Bool { state.withLock { $0.missing.isEmpty } }

    /// The sessions that stored messages wait for.
    var missing: [String: Set<MatrixKeyFile.Place>] {
        state.withLock { state in
            state.missing.reduce(into: [:]) { places, room in
                places[room.key] = Set(room.value.keys.map { MatrixKeyFile.Place(room: room.key, session: $0) })
            }
        }
    }

    func has(_ place: MatrixKeyFile.Place) -> Bool { state.withLock { $0.keys.has(place) } }

    /// Takes the backup as it is now.
    ///
    /// - Returns: True if it has changed.
    func use(_ backup: Backup) -> Bool {
        state.withLock { state in
            let known = state.backup?.version
            let isSame = known?.version == backup.version.version && known?.etag == backup.version.etag
            if !isSame { state.requested = [] }
            (state.backup, state.isPaused) = (backup, false)
            return !isSame
        }
    }

    /// True while no keys are requested, because a request has failed.
    var isPaused: Bool { state.withLock { $0.isPaused } }

    /// Stops the requests until the next ``use(_:)``, so that a homeserver with trouble delays no messages.
    func pause() { state.withLock { $0.isPaused = true } }

    /// Adds a session of the backup.
    func add(_ session: MegolmSession, at place: MatrixKeyFile.Place) {
        state.withLock { $0.keys.add(session, at: place) }
    }

    /// Notes that messages wait for these sessions. Call this when the messages are stored or about to be, because a session
    /// may come before its message is stored.
    func addMissing(_ places: some Collection<MatrixKeyFile.Place>) {
        guard !places.isEmpty else { return }
        let count = state.withLock { state in
            state.additions += 1
            for place in places { state.missing[place.room, default: [:]][place.session] = state.additions }
            return state.additions
        }
        additions.change(to: count)
    }

    /// Notes that the stored messages of a room were read, as far as their sessions are known.
    ///
    /// - Parameter additions: The number of additions before that.
    func settle(_ room: String, through additions: Int) {
        state.withLock { state in
            let rest = state.missing[room]?.filter { session, addition in
                addition > additions || !state.keys.has(MatrixKeyFile.Place(room: room, session: session))
            }
            state.missing[room] = rest?.isEmpty == true ? nil : rest
        }
    }

    /// Returns true for the first request of all sessions of a room since the backup's last change.
    func beginRequest(of room: String) -> Bool { state.withLock { $0.requested.insert(room).inserted } }

    /// Allows another request of all sessions of a room, after one that failed.
    func endRequest(of room: String) { state.withLock { _ = $0.requested.remove(room) } }

    func isNoted(_ room: String) -> Bool { state.withLock { $0.noted.contains(room) } }

    /// Notes a message of the archive that is decrypted, whose number no other message may have.
    func note(_ message: EncryptedMessage) { state.withLock { $0.keys.note(message) } }

    /// Notes that all messages of a room were noted.
    func finishNoting(_ room: String) { state.withLock { _ = $0.noted.insert(room) } }

    func open(_ raw: [UInt8], room: String) -> MatrixRoomKeys.Opening {
        state.withLock { $0.keys.open(raw, room: room) }
    }
}
