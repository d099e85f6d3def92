/// How the 10 s are spent that a stop may take at most, whatever a peer, a disk or a file does: it is what Docker gives a
/// container, and what a person waits.
package enum StopTimes {
    /// Until what was received and is not stored yet is given up, and what is stored is closed: the account's session and its
    /// file. Goodbyes take 5 s of it at most.
    package static let storing = Duration.seconds(6)
    /// Until every task is cancelled.
    package static let leaving = Duration.seconds(8)
    /// Until the process ends itself: with what it has to say before, within the 10 s.
    package static let process = Duration.milliseconds(9500)
}
