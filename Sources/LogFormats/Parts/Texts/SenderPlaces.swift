import ChatModel

/// Counts the messages of each sender in the present minute, to identify a message whose text a later export lacks.
struct SenderPlaces<Sender: Hashable & Sendable>: Sendable {
    private var minute: Timestamp?
    private var counts: [Sender: Int] = [:]

    /// Counts a message, and returns the number of its sender's messages before it in its minute.
    mutating func place(of sender: Sender, at time: Timestamp) -> Int {
        let minute = TimeResolution.minute.floor(time)
        if minute != self.minute {
            self.minute = minute
            counts.removeAll(keepingCapacity: true)
        }
        let place = counts[sender] ?? 0
        counts[sender] = place + 1
        return place
    }
}
