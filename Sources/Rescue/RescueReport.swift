package import ChatModel

/// A finished rescue of a damaged file.
package struct RescueReport: Sendable, Hashable {
    package var account: AccountIdentity
    /// The path of the new account's folder.
    package var folder: String
    package var messages: Int64 = 0
    package var rooms: Int64 = 0
    /// The size of the new file, in bytes.
    package var bytes: Int64 = 0
    /// The number of files that came with messages and are in the new folder.
    package var files = 0
    /// The losses, messages first; empty if everything was readable.
    package var losses: [Loss] = []

    /// Something that could not be read.
    package struct Loss: Sendable, Hashable {
        package var what: What
        /// Today's name of the room; nil if it is unknown or does not matter.
        package var room: String?
        /// The number of lost things; nil if it is unknown.
        package var count: Int64?
        /// The times between which messages are lost or changed; nil if unknown, or for other things.
        package var from: Timestamp?
        package var to: Timestamp?
    }

    package enum What: String, Sendable, Hashable, CaseIterable {
        case messages
        /// Messages that are there, but not as they were stored.
        case changed
        /// Bytes of files that came with messages.
        case files
        /// Rows of a table that is no longer whole: ``RescueReport/Loss/room`` is nil.
        case names, users, rooms, members, coverage, gaps, changes, edits, reactions, rawBytes = "raw_bytes", journal,
            attachments, retention, other
    }
}
