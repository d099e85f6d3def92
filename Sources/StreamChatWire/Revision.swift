/// Which year's rules a StreamChat server and its clients keep.
package enum Revision: String, Sendable, Hashable, CaseIterable {
    /// No `::END` and no LEAVE from clients, a line feed after the server's notices.
    case april2021 = "2021-04"
    case august2021 = "2021-08"
}
