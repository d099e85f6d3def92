package import ChatModel
package import Sessions
package import Synchronization
package import TestSupport

/// A connection whose peer is the test.
package final class ScriptedConnection: Connection {
    package struct State {
        package var taken = 0
        package var handedOver = 0
        package var sent: [String] = []
        package var acknowledgement: Acknowledgement? = Acknowledgement(isComplete: true, age: .zero)
        package var isClosed = false
    }

    package let state = Watched(State())
    /// Told how many reads were handed over, the present one included.
    package let onHandover = Mutex<@Sendable (Int) -> Void>({ _ in })
    private let reads = AsyncThrowingStream<Received, any Error>.makeStream()

    /// The peer sends bytes, which are read at `time`.
    package func deliver(_ bytes: [UInt8], at time: ClockReading, filledBuffer: Bool = false) {
        state.change { $0.taken += 1 }
        reads.continuation.yield(Received(bytes: bytes, at: time, filledBuffer: filledBuffer))
    }

    package func deliver(_ bytes: [UInt8], at time: Timestamp, filledBuffer: Bool = false) {
        let steady = time.since(ListenerHarness.epoch)
        deliver(bytes, at: ClockReading(wall: time, steady: steady), filledBuffer: filledBuffer)
    }

    package func deliver(_ text: String, at time: ClockReading) {
        deliver(Array(text.utf8), at: time)
    }

    package func deliver(_ text: String, at time: Timestamp) {
        deliver(Array(text.utf8), at: time)
    }

    /// The peer closes the connection.
    package func end() {
        reads.continuation.finish()
    }

    /// The connection breaks.
    package func fail(_ code: ConnectionError.Code) {
        reads.continuation.finish(throwing: ConnectionError(code: code, detail: "the peer is \(code)"))
    }

    package func sends(_ text: String) async {
        await state.wait { $0.sent.contains(text) }
    }

    package var readsTaken: Int { state.value.taken }

    package func forEachRead<Outcome: Sendable>(
        _ body: (Received) async -> Outcome?
    ) async throws(ConnectionError) -> Outcome? {
        do {
            for try await received in reads.stream {
                let reads = state.change { state in
                    state.handedOver += 1
                    return state.handedOver
                }
                onHandover.withLock { $0 }(reads)
                if let outcome = await body(received) { return outcome }
            }
            return nil
        } catch {
            throw error as? ConnectionError ?? ConnectionError(code: .other, detail: "\(error)")
        }
    }

    package func send(_ bytes: [UInt8]) async throws(ConnectionError) {
        state.change { $0.sent.append(String(decoding: bytes, as: UTF8.self)) }
    }

    package func acknowledgement() async -> Acknowledgement? { state.value.acknowledgement }
}
