/// Opens connections; the one dependency of a listener that touches the world.
package protocol Connector: Sendable {
    /// Connects, hands the connection to `body`, and has closed it when this returns.
    ///
    /// - Throws: ``ConnectionError`` when there is no connection; what happens to one later is `body`'s to see.
    func withConnection<Outcome: Sendable>(
        host: String, port: Int, _ body: @Sendable (any Connection) async -> Outcome
    ) async throws(ConnectionError) -> Outcome
}

/// A byte stream to a peer, open while the `body` of ``Connector/withConnection(host:port:_:)`` runs.
package protocol Connection: Sendable {
    /// Hands over one read after the other, in order, until `body` returns something, which is returned here; nil at the
    /// peer's end of stream, and when the task is cancelled.
    ///
    /// While `body` waits, no more than a fixed number of reads is taken from the socket. One caller only, once.
    ///
    /// - Throws: when the connection breaks; what was read before has been handed over.
    func forEachRead<Outcome: Sendable>(
        _ body: (Received) async -> Outcome?
    ) async throws(ConnectionError) -> Outcome?

    /// How many reads have been taken from the socket so far, handed over or not.
    var readsTaken: Int { get }

    /// Returns when the operating system has taken the bytes. Closes the connection when the task is cancelled meanwhile.
    func send(_ bytes: [UInt8]) async throws(ConnectionError)

    /// What the peer's kernel has confirmed; nil where that can't be told.
    func acknowledgement() async -> Acknowledgement?
}

/// What one read brought.
package struct Received: Sendable, Hashable {
    /// Never empty.
    package var bytes: [UInt8]
    /// The clocks when it was read, which is before it is handed over.
    package var at: ClockReading
    /// The read filled its buffer, so that it says nothing about where a message ends.
    package var filledBuffer: Bool

    package init(bytes: [UInt8], at: ClockReading, filledBuffer: Bool) {
        self.bytes = bytes
        self.at = at
        self.filledBuffer = filledBuffer
    }
}

/// What the peer's kernel has confirmed.
package struct Acknowledgement: Sendable, Hashable {
    /// Everything sent has arrived there; whether the program there has read it, nobody knows.
    package var isComplete: Bool
    /// How long ago anything was heard of the peer's kernel, answers to keepalive probes included.
    package var age: Duration

    package init(isComplete: Bool, age: Duration) {
        self.isComplete = isComplete
        self.age = age
    }
}
