package import ChatModel

/// Opens connections. A listener reaches the network only through it.
package protocol Connector: Sendable {
    /// Connects, calls `body` with the connection, and closes it before this returns.
    ///
    /// - Throws: ``ConnectionError`` if there is no connection. `body` handles later errors of the connection.
    func withConnection<Outcome: Sendable>(
        host: String, port: Int, _ body: @Sendable (any Connection) async -> Outcome
    ) async throws(ConnectionError) -> Outcome
}

/// A byte stream to a peer, open while the `body` of ``Connector/withConnection(host:port:_:)`` runs.
package protocol Connection: Sendable {
    /// Calls `body` with every read in order until it returns a value, and returns that value; nil at the end of the
    /// peer's stream, or if the task is cancelled.
    ///
    /// Takes no more than a fixed number of reads from the socket while `body` waits. May be called once.
    ///
    /// - Throws: ``ConnectionError`` if the connection breaks. `body` has had all earlier reads by then.
    func forEachRead<Outcome: Sendable>(
        _ body: (Received) async -> Outcome?
    ) async throws(ConnectionError) -> Outcome?

    /// The number of reads taken from the socket so far, including the ones that `body` has not had yet.
    var readsTaken: Int { get }

    /// Sends bytes. Returns when the operating system has taken them. Closes the connection if the task is cancelled
    /// before that.
    func send(_ bytes: [UInt8]) async throws(ConnectionError)

    /// Returns the confirmations of the peer's kernel; nil if this machine does not report them.
    func acknowledgement() async -> Acknowledgement?
}

/// The bytes of one read.
package struct Received: Sendable, Hashable {
    /// The bytes, at least one.
    package var bytes: [UInt8]
    /// The clocks at the time of the read.
    package var at: ClockReading
    /// True if the read filled its buffer, so that a message may continue after it.
    package var filledBuffer: Bool

    package init(bytes: [UInt8], at: ClockReading, filledBuffer: Bool) {
        (self.bytes, self.at, self.filledBuffer) = (bytes, at, filledBuffer)
    }
}

/// The confirmations of the peer's kernel for sent bytes.
package struct Acknowledgement: Sendable, Hashable {
    /// True if all sent bytes have arrived at the peer's kernel. The peer's program may not have read them.
    package var isComplete: Bool
    /// The time since the last packet from the peer's kernel, answers to keepalive probes included.
    package var age: Duration

    package init(isComplete: Bool, age: Duration) {
        self.isComplete = isComplete
        self.age = age
    }
}
