import ChatModel

/// The keys of an account for the files of its messages.
package struct AttachmentSettings: Sendable, Hashable {
    /// The files that the listener fetches without a request.
    package enum Fetched: String, Sendable, CaseIterable {
        case none, all
    }

    package var fetched: Fetched
    /// The largest file to fetch, in bytes.
    package var sizeLimit: Int64

    /// Reads `attachments` and `attachment_size_limit`. Leaves every problem in `table`; a wrong setting has its default.
    package init(_ table: inout TableReader) {
        fetched = table.choice("attachments", default: .none)
        sizeLimit = table.byteCount("attachment_size_limit", shownDefault: "20MB") ?? Attachment.usualLimit
    }
}
