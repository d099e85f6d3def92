/// The year of the protocol that a StreamChat server and its clients follow.
package enum Revision: String, Sendable, Hashable, CaseIterable {
    /// Clients send no `::END` and no LEAVE; the server ends notices with a line feed.
    case april2021 = "2021-04"
    case august2021 = "2021-08"
}
