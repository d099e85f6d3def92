/// Opens connections: the one way in which a listener reaches the world.
package protocol Connector: Sendable {
    /// Connects, passes the connection to `body`, and closes it before this returns.
    ///
    /// - Throws: ``ConnectionError`` when there is no connection. `body` itself sees what happens to one later.
    func withConnection<Outcome: Sendable>(
        host: String, port: Int, _ body: @Sendable (any Connection) async -> Outcome
    ) async throws(ConnectionError) -> Outcome
}

/// A byte stream to a peer, open while the `body` of ``Connector/withConnection(host:port:_:)`` runs.
package protocol Connection: Sendable {
    /// Passes every read in order to `body` until that returns a value, which is returned here; nil at the peer's end
    /// of stream, and when the task is cancelled.
    ///
    /// Takes no more than a fixed number of reads from the socket while `body` waits. May be called once.
    ///
    /// - Throws: ``ConnectionError`` when the connection breaks; all earlier reads have been passed on by then.
    func forEachRead<Outcome: Sendable>(
        _ body: (Received) async -> Outcome?
    ) async throws(ConnectionError) -> Outcome?

    /// The number of reads taken from the socket so far, passed on or not.
    var readsTaken: Int { get }

    /// Returns when the operating system has taken the bytes. Closes the connection if the task is cancelled before
    /// that.
    func send(_ bytes: [UInt8]) async throws(ConnectionError)

    /// What the peer's kernel has confirmed; nil where this machine can't say.
    func acknowledgement() async -> Acknowledgement?
}

/// The bytes of one read.
package struct Received: Sendable, Hashable {
    /// The bytes, at least one.
    package var bytes: [UInt8]
    /// The clocks at the read, which comes before the bytes are passed on.
    package var at: ClockReading
    /// True when the read filled its buffer, so that its end need not be the end of a message.
    package var filledBuffer: Bool

    package init(bytes: [UInt8], at: ClockReading, filledBuffer: Bool) {
        (self.bytes, self.at, self.filledBuffer) = (bytes, at, filledBuffer)
    }
}

/// What the peer's kernel has confirmed of what was sent.
package struct Acknowledgement: Sendable, Hashable {
    /// True when all that was sent has arrived there; the program there may not have read it.
    package var isComplete: Bool
    /// The time since the last packet from the peer's kernel, answers to keepalive probes included.
    package var age: Duration

    package init(isComplete: Bool, age: Duration) {
        self.isComplete = isComplete
        self.age = age
    }
}
