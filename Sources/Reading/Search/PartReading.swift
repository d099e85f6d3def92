import Accounts
import Dispatch
import Files
import Schema
import Synchronization

extension AccountReader {
    /// Returns what `read` returns for each part, in the order of the parts. Two threads read one part after the other, each in a
    /// transaction of a connection of its own; one thread reads an account that can't be opened twice.
    func read<Part: Sendable, Value: Sendable>(
        parts: [Part], _ read: @escaping @Sendable (ReadTransaction, Part) throws -> Value
    ) throws -> [Value] {
        // The file is open: without another place or descriptor, one connection reads all.
        let other = parts.count > 1 ? try? openedAgain() : nil
        return try PartReading(parts, read).values([self] + (other.map { [$0] } ?? []))
    }
}

/// Parts that several threads read.
private final class PartReading<Part: Sendable, Value: Sendable>: Sendable {
    private let parts: [Part]
    private let read: @Sendable (ReadTransaction, Part) throws -> Value
    private let state: Mutex<State>

    private struct State {
        /// The place of the next part to read.
        var next = 0
        /// The values by the places of their parts.
        var values: [Int: Value] = [:]
        var failure: (any Error)?
    }

    init(_ parts: [Part], _ read: @escaping @Sendable (ReadTransaction, Part) throws -> Value) {
        (self.parts, self.read) = (parts, read)
        state = Mutex(State())
    }

    /// Reads all parts, by the first reader on the caller's thread.
    func values(_ readers: [AccountReader]) throws -> [Value] {
        let (group, limit) = (DispatchGroup(), ReadLimit.current)
        for reader in readers.dropFirst() {
            DispatchQueue(label: "parts").async(group: group) {
                ReadLimit.$current.withValue(limit) { self.readWaiting(reader) }
            }
        }
        for reader in readers.prefix(1) { readWaiting(reader) }
        group.wait()
        return try state.withLock { state in
            if let failure = state.failure { throw failure }
            return parts.indices.compactMap { state.values[$0] }
        }
    }

    /// Reads parts until none is left or one fails.
    private func readWaiting(_ reader: AccountReader) {
        while let place = nextPlace() {
            do {
                let value = try reader.read { db in try read(db, parts[place]) }
                state.withLock { $0.values[place] = value }
            } catch {
                state.withLock { $0.failure = $0.failure ?? error }
            }
        }
    }

    private func nextPlace() -> Int? {
        state.withLock { state in
            guard state.failure == nil, state.next < parts.count else { return nil }
            state.next += 1
            return state.next - 1
        }
    }
}
