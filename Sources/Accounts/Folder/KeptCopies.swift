import ChatModel
import Files
import Synchronization

/// The private copies of compressed accounts that a server keeps for its next requests, so that a reader changes nothing
/// in the archive, and can't make the server expand the same account again and again.
package final class KeptCopies: Sendable {
    /// The limit of copies, and so of their space in TMPDIR.
    static let limit = 4
    /// The time after which an unused copy is removed.
    package static let hold = Duration.seconds(60)
    /// The time for which a copy is safe from others that need its place: readers of more accounts than ``limit`` wait,
    /// instead of expanding each account for each request.
    static let share = Duration.seconds(10)

    private struct Kept {
        var account: OpenAccount
        let digest: FileDigest
        var lastUse: ContinuousClock.Instant
    }

    private struct State {
        /// The copies by the folder of their account.
        var copies: [String: Kept] = [:]
        var isExpanding = false
    }

    private let state = Mutex(State())

    package init() {}

    /// The number of copies.
    var count: Int { state.withLock(\.copies.count) }

    /// Returns the copy of an account.
    ///
    /// - Parameters:
    ///   - digest: The present content of the account.
    ///   - expand: Makes a copy. One runs at a time.
    /// - Throws: ``ArchiveError`` with `tooManyOpen` while another account is expanded, or all copies are in use.
    func account(
        _ entry: Catalog.Entry, _ digest: FileDigest, at now: ContinuousClock.Instant = .now,
        expand: () throws -> OpenAccount
    ) throws -> OpenAccount {
        let (found, dropped) = try state.withLock { state -> (OpenAccount?, OpenAccount?) in
            if state.copies[entry.directory]?.digest == digest {
                state.copies[entry.directory]?.lastUse = now
                return (state.copies[entry.directory]?.account, nil)
            }
            let dropped = try Self.makePlace(for: entry, at: now, &state)
            state.isExpanding = true
            return (nil, dropped)
        }
        if let found { return found }
        withExtendedLifetime(dropped) {}
        do {
            let account = try expand()
            state.withLock { state in
                state.copies[entry.directory] = Kept(account: account, digest: digest, lastUse: now)
                state.isExpanding = false
            }
            return account
        } catch {
            state.withLock { $0.isExpanding = false }
            throw error
        }
    }

    /// Removes copies that nobody reads and that were not used for that time.
    package func release(unusedFor time: Duration, at now: ContinuousClock.Instant = .now) {
        // Closes files outside the lock.
        let released = state.withLock { state in
            // An array of the names, because a view of the keys would keep every copy referenced.
            Array(state.copies.keys).compactMap { Self.remove($0, unusedSince: now - time, &state) }
        }
        withExtendedLifetime(released) {}
    }

    /// - Returns: The copy that had the place, to be released outside the lock.
    private static func makePlace(
        for entry: Catalog.Entry, at now: ContinuousClock.Instant, _ state: inout State
    ) throws -> OpenAccount? {
        guard !state.isExpanding else { throw busy(entry) }
        // The copy of an earlier content.
        if state.copies[entry.directory] != nil {
            guard let old = remove(entry.directory, unusedSince: now, &state) else { throw busy(entry) }
            return old
        }
        guard state.copies.count >= limit else { return nil }
        for directory in state.copies.sorted(by: { $0.value.lastUse < $1.value.lastUse }).map(\.key) {
            if let old = remove(directory, unusedSince: now - share, &state) { return old }
        }
        throw busy(entry)
    }

    /// Removes a copy, unless somebody reads it: it would keep its space.
    private static func remove(
        _ directory: String, unusedSince end: ContinuousClock.Instant, _ state: inout State
    ) -> OpenAccount? {
        guard var kept = state.copies.removeValue(forKey: directory) else { return nil }
        if kept.lastUse <= end, isKnownUniquelyReferenced(&kept.account) { return kept.account }
        state.copies[directory] = kept
        return nil
    }

    private static func busy(_ entry: Catalog.Entry) -> ArchiveError {
        ArchiveError(
            code: .tooManyOpen,
            detail: "account '\(entry.account.name)' is compressed, and other compressed accounts are being read; "
                + "try again in \(share.components.seconds) s")
    }
}
