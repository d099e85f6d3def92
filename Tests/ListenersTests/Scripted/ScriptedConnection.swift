import ChatModel
import Listeners
import Synchronization
import TestSupport

/// A connection whose peer is the test.
final class ScriptedConnection: Connection {
    struct State {
        var taken = 0
        var handedOver = 0
        var sent: [String] = []
        var acknowledgement: Acknowledgement? = Acknowledgement(isComplete: true, age: .zero)
        var isClosed = false
    }

    let state = Watched(State())
    /// Told how many reads were handed over, the present one included.
    let onHandover = Mutex<@Sendable (Int) -> Void>({ _ in })
    private let reads = AsyncThrowingStream<Received, any Error>.makeStream()

    /// The peer sends bytes, which are read at `time`.
    func deliver(_ bytes: [UInt8], at time: ClockReading, filledBuffer: Bool = false) {
        state.change { $0.taken += 1 }
        reads.continuation.yield(Received(bytes: bytes, at: time, filledBuffer: filledBuffer))
    }

    func deliver(_ bytes: [UInt8], at time: Timestamp, filledBuffer: Bool = false) {
        let steady = time.since(ListenerHarness.epoch)
        deliver(bytes, at: ClockReading(wall: time, steady: steady), filledBuffer: filledBuffer)
    }

    func deliver(_ text: String, at time: ClockReading) {
        deliver(Array(text.utf8), at: time)
    }

    func deliver(_ text: String, at time: Timestamp) {
        deliver(Array(text.utf8), at: time)
    }

    /// The peer closes the connection.
    func end() {
        reads.continuation.finish()
    }

    /// The connection breaks.
    func fail(_ code: ConnectionError.Code) {
        reads.continuation.finish(throwing: ConnectionError(code: code, detail: "the peer is \(code)"))
    }

    func sends(_ text: String) async {
        await state.wait { $0.sent.contains(text) }
    }

    var readsTaken: Int { state.value.taken }

    func forEachRead<Outcome: Sendable>(
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

    func send(_ bytes: [UInt8]) async throws(ConnectionError) {
        state.change { $0.sent.append(String(decoding: bytes, as: UTF8.self)) }
    }

    func acknowledgement() async -> Acknowledgement? { state.value.acknowledgement }
}
