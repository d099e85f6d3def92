/// The state of an account's retention rules in a running listener.
package struct RetentionStatus: Sendable, Hashable, Codable {
    /// When the rules were last applied to the end; nil before that.
    package var appliedAt: Timestamp?
    /// The texts of the new rules that wait for the owner's decision, sorted.
    package var waiting: [String]

    package init(appliedAt: Timestamp? = nil, waiting: [String] = []) {
        (self.appliedAt, self.waiting) = (appliedAt, waiting)
    }

    private enum CodingKeys: String, CodingKey {
        case appliedAt = "applied_at"
        case waiting
    }
}
