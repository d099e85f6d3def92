/// The files to fetch, and the place to store them, such as an archive.
///
/// A file is identified by its path, as the network gives it; several messages may have the same one.
package protocol AttachmentStore: Sendable {
    /// Returns the files to fetch now, those of the latest messages first. A path may occur more than once.
    ///
    /// - Parameter isRequestedOnly: True for requested files only; false to include files that were never tried or are
    ///   due again.
    func wantedAttachments(isRequestedOnly: Bool, at now: Timestamp, limit: Int) async throws -> [WantedAttachment]
    /// Returns the time when the next file is due again; nil if none is.
    func nextAttachmentTry() async throws -> Timestamp?
    /// Makes files due again that were too large for a smaller limit, in bytes.
    func raiseAttachmentLimit(to limit: Int64) async throws
    /// Returns the receiver for the bytes of a file. A path has at most one at a time.
    func receiveAttachment(_ path: String) async throws -> any AttachmentReceiver
    /// Records that a file could not be fetched.
    func noteAttachment(_ path: String, _ failure: AttachmentFailure, at now: Timestamp) async throws
    /// Returns a stream with one element at first, and another whenever there may be more to fetch. Only the latest
    /// stream gets the later elements.
    func attachmentUpdates() -> AsyncStream<Void>
}

/// A file that is to be fetched.
package struct WantedAttachment: Sendable, Hashable {
    package var path: String
    /// The number of attempts so far.
    package var attempts: Int

    package init(path: String, attempts: Int) {
        (self.path, self.attempts) = (path, attempts)
    }
}

/// Receives the bytes of one file. It serves one task at a time, and ends with ``finish(at:)``, ``keep()`` or
/// ``discard()``.
package protocol AttachmentReceiver: Sendable {
    /// The part that an earlier attempt left, which can be continued if the network has the same content; nil if there
    /// is none.
    var part: AttachmentPart? { get }
    /// Prepares for the first byte.
    ///
    /// - Parameters:
    ///   - offset: The size of the part to continue; 0 to begin again.
    ///   - tag: A tag that identifies the content under its path; nil if the network has none.
    ///   - total: The size of the whole file; nil if unknown.
    func begin(at offset: Int64, tag: String?, total: Int64?) async throws
    /// Appends bytes.
    func write(_ bytes: [UInt8]) async throws
    /// Returns when the file is on disk, named by its hash, and recorded in the archive.
    func finish(at now: Timestamp) async throws
    /// Keeps the received part for a later attempt; without a tag, discards it.
    func keep() async
    /// Discards the received part.
    func discard() async
}

/// The beginning of a file.
package struct AttachmentPart: Sendable, Hashable {
    /// The number of bytes.
    package var size: Int64
    /// The tag of the content to which the part belongs.
    package var tag: String

    package init(size: Int64, tag: String) {
        (self.size, self.tag) = (size, tag)
    }
}

/// The reason why a file could not be fetched.
package struct AttachmentFailure: Sendable, Hashable {
    /// The state that the file gets.
    package enum Kind: Sendable, Hashable {
        case failed
        /// The file is larger than `limit` bytes. `bytes` is its size; nil if unknown.
        case tooLarge(limit: Int64, bytes: Int64?)
        case gone
        case otherServer
    }

    package var kind: Kind
    /// The reason for people, without secrets.
    package var detail: String
    /// The time of the next attempt; nil if none is planned.
    package var nextTry: Timestamp?
    /// False if the network was not at fault. The failure does not count as an attempt in that case.
    package var isAttempt: Bool

    package init(_ kind: Kind, detail: String, nextTry: Timestamp? = nil, isAttempt: Bool = true) {
        (self.kind, self.detail, self.nextTry, self.isAttempt) = (kind, detail, nextTry, isAttempt)
    }
}
