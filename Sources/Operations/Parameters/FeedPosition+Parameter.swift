package import ChatModel
import FoundationEssentials
package import Reading
import Rendering

extension FeedPosition {
    /// Reads the value of `--after`.
    ///
    /// - Throws: ``UsageError`` for a text that is not a position.
    package init(parameter text: String) throws {
        guard let position = FeedPosition(text) else {
            throw UsageError("--after takes EPOCH:SEQ, the \"position\" of a change, not \"\(Sanitizer.value(text))\"")
        }
        self = position
    }

    /// Checks that the position can be one of an account's feed, now or in an earlier life of its file.
    ///
    /// - Throws: ``UsageError`` for a position of another account that the reader sees whole, and for an epoch that no file
    ///   has.
    package func check(for account: String, in reading: ArchiveReading) throws {
        guard try reading.feeds.end(of: account).epoch != epoch else { return }
        let advice = "use the \"position\" of a change of account \"\(Sanitizer.value(account))\""
        guard UUID(uuidString: epoch) != nil else {
            throw UsageError("--after \"\(Sanitizer.value(description))\" is not a position of a feed; \(advice)")
        }
        if let other = try reading.feeds.account(withEpoch: epoch) {
            throw UsageError("--after is a position of account \"\(Sanitizer.value(other))\"; \(advice)")
        }
    }
}
