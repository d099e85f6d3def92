/// The parts of the 10 s that a stop may take, regardless of peers, disks and files: Docker gives a container 10 s, and
/// people wait that long.
package enum StopTimes {
    /// The time after which unstored events are dropped, and the account's session and file are closed. It includes at
    /// most 5 s for leaving the network.
    package static let storing = Duration.seconds(6)
    /// The time after which every task is cancelled.
    package static let leaving = Duration.seconds(8)
    /// The time after which the process ends itself, within the 10 s and with its last messages.
    package static let process = Duration.milliseconds(9500)
}
