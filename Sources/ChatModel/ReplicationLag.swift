/// The state of an account's copy in the shared archive.
package struct ReplicationLag: Sendable, Hashable, Codable {
    /// The number of changes that are not replicated; nil until it is known.
    package var left: Int64?
    /// When the shared archive last had everything; nil if it never had.
    package var caughtUpAt: Timestamp?
    /// Why nothing is replicated, in the server's words; nil while all is well.
    package var error: String?

    package init(left: Int64? = nil, caughtUpAt: Timestamp? = nil, error: String? = nil) {
        (self.left, self.caughtUpAt, self.error) = (left, caughtUpAt, error)
    }
}
