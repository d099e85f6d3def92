/// Which files are to be fetched, and where they go. The archive is one.
///
/// A file is known by its path, as the network gives it: several messages may have the same.
package protocol AttachmentStore: Sendable {
    /// Files to fetch now, those of the latest messages first; a path may be among them more than once.
    ///
    /// - Parameter isAskedOnly: Only those that somebody waits for; else those as well that were not tried, or are to be
    ///   tried again by now.
    func wantedAttachments(isAskedOnly: Bool, at now: Timestamp, limit: Int) async throws -> [WantedAttachment]
    /// When the next one is to be tried again; nil where none is.
    func nextAttachmentTry() async throws -> Timestamp?
    /// Has files tried again that were too large for a smaller limit, in bytes.
    func raiseAttachmentLimit(to limit: Int64) async throws
    /// A place for the bytes of a file. One at a time for a path.
    func receiveAttachment(_ path: String) async throws -> any AttachmentReceiving
    /// The file did not come.
    func noteAttachment(_ path: String, _ failure: AttachmentFailure, at now: Timestamp) async throws
    /// Brings an element when there may be more to fetch, and one at first. Of several such streams the latest has them.
    func attachmentNews() -> AsyncStream<Void>
}

/// A file that is not here.
package struct WantedAttachment: Sendable, Hashable {
    package var path: String
    /// Tries so far.
    package var attempts: Int

    package init(path: String, attempts: Int) {
        (self.path, self.attempts) = (path, attempts)
    }
}

/// Takes the bytes of one file. Used by one task at a time; one of ``finish(at:)``, ``keep()`` and ``discard()`` ends it.
package protocol AttachmentReceiving: Sendable {
    /// What is there of an earlier try, and may be gone on with where the network has the same content.
    var part: AttachmentPart? { get }
    /// Before the first byte.
    ///
    /// - Parameters:
    ///   - offset: How much of the part stays: all of it, or nothing.
    ///   - tag: What tells the content from another under the same path; nil where it can't be told.
    ///   - total: How large the whole will be, where that is known.
    func begin(at offset: Int64, tag: String?, total: Int64?) async throws
    func write(_ bytes: [UInt8]) async throws
    /// Returns when the file is on disk under its hash, and the archive says so.
    func finish(at now: Timestamp) async throws
    /// What came stays, to be gone on with, where there is a tag.
    func keep() async
    func discard() async
}

/// The beginning of a file.
package struct AttachmentPart: Sendable, Hashable {
    /// Bytes.
    package var size: Int64
    package var tag: String

    package init(size: Int64, tag: String) {
        (self.size, self.tag) = (size, tag)
    }
}

/// Why a file did not come.
package struct AttachmentFailure: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case failed
        /// Bytes that it may have, and how many it has where that is known.
        case tooLarge(limit: Int64, bytes: Int64?)
        case gone
        case elsewhere
    }

    package var kind: Kind
    /// For people, without secrets.
    package var detail: String
    /// Nil where nothing is tried by itself.
    package var nextTry: Timestamp?
    /// False where it was not the network's fault.
    package var isAttempt: Bool

    package init(_ kind: Kind, detail: String, nextTry: Timestamp? = nil, isAttempt: Bool = true) {
        (self.kind, self.detail, self.nextTry, self.isAttempt) = (kind, detail, nextTry, isAttempt)
    }
}
