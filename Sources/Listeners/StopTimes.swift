/// Divides the 10 s that a stop may take at most, whatever a peer, a disk or a file does: Docker gives a container as
/// much, and people wait that long.
package enum StopTimes {
    /// The time after which events that are not stored are given up, and the account's session and file are closed. Of
    /// this, leaving the network takes 5 s at most.
    package static let storing = Duration.seconds(6)
    /// The time after which every task is cancelled.
    package static let leaving = Duration.seconds(8)
    /// The time after which the process ends itself: within the 10 s, with its last messages.
    package static let process = Duration.milliseconds(9500)
}
