import Moves

extension NamedCheck {
    /// Every check of a file of the current schema, beginning with the most basic ones.
    static let all =
        fileChecks + messageChecks + nameChecks + coverageChecks + journalChecks + readingChecks
        + retentionChecks + SearchIndexChecks.all
}
