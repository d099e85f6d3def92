import Moves
import Records
import SQLite

extension MessageDigests {
    /// Returns a sentence for each block whose messages differ from its digest, at most ``NamedCheck/shown``, and the
    /// number of further ones; and one for blocks that are not compared although they have a digest.
    static func problems(_ db: Database, progress: (Double) -> Void) throws -> [String] {
        let blocks = try differing(db, progress: progress)
        let sentences = blocks.prefix(NamedCheck.shown).map { block in
            let (first, last) = span(of: block)
            return "a message from \(first) to \(last) is not as it was stored, or is missing"
        }
        if let first = try firstIgnored(db) {
            return sentences + ["messages from \(span(of: first).first) on have digests, but are marked as having none"]
        }
        return sentences + (blocks.count > sentences.count ? ["and \(blocks.count - sentences.count) more"] : [])
    }
}
