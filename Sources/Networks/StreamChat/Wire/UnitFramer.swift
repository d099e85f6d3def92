import Bytes

/// Cuts the bytes that a connection receives into units.
///
/// Each call takes the time, in microseconds since any epoch. Memory is limited to one read and one unit of the
/// greatest length, and time is linear in the bytes, for any input.
package struct UnitFramer: Sendable {
    package struct Limits: Sendable, Hashable {
        /// The time that `chunk` waits for the rest of a unit, in microseconds. 30 ms, because parts of a unit are sent
        /// together, and people don't type two messages within that time.
        package var continuation: Int64 = 30_000
        /// The additional time for an incomplete code point, in microseconds.
        package var codePoint: Int64 = 1_000_000
        /// The greatest length of a unit, in bytes; 300 family emoji have 7,500. At least 4, the length of one code
        /// point.
        package var unitBytes = 64 * 1024

        package init() {}
    }

    /// The end of units.
    package let framing: Framing
    private(set) var limits: Limits

    /// The unit that is being read.
    var pending: [UInt8] = []
    /// The time of the read with the first byte of `pending`.
    var pendingTime: Int64 = 0
    /// True if `pending` is the rest of an oversize unit.
    var isRemainder = false
    /// The position of the first byte that is not in a unit yet. Everything before it is parsed.
    package internal(set) var parsed: Int

    /// For `chunk`: the time of the last read, and true if it filled its buffer.
    var lastRead: Int64 = 0
    var lastFilledBuffer = false
    /// For the other framings: the index in `pending` from which the next delimiter is searched.
    var scanned = 0

    /// - Parameter offset: The position of the first byte to come; above 0 when a journal is parsed from the middle.
    package init(_ framing: Framing, limits: Limits = Limits(), offset: Int = 0) {
        self.framing = framing
        self.limits = limits
        // Every limit has room for one code point.
        self.limits.unitBytes = max(4, limits.unitBytes)
        self.parsed = offset
    }

    /// Returns the units that are complete with these bytes.
    ///
    /// - Parameters:
    ///   - time: The present time; never before that of the last call.
    ///   - filledBuffer: True if the read filled its buffer, so that more of the same unit may wait.
    package mutating func cutUnits(
        _ bytes: [UInt8], at time: Int64, filledBuffer: Bool = false, known: KnownNames
    ) -> [StreamUnit] {
        guard !bytes.isEmpty else { return deadlinePassed(at: time) }
        return framing == .chunk
            ? readChunk(bytes, at: time, filledBuffer: filledBuffer, known: known)
            : readDelimited(bytes, at: time, known: known)
    }

    /// The time to call ``deadlinePassed(at:)`` unless something is read before; nil if only bytes can end a unit.
    package var deadline: Int64? {
        guard framing == .chunk, !pending.isEmpty else { return nil }
        return lastRead &+ limits.continuation &+ (pending[...].incompleteTail > 0 ? limits.codePoint : 0)
    }

    /// Returns the unit that has ended by this time, if any; none before the deadline.
    package mutating func deadlinePassed(at time: Int64) -> [StreamUnit] {
        guard let deadline, time >= deadline else { return [] }
        return takePending()
    }

    /// Ends the connection, and returns the last unit, if any.
    package mutating func finish() -> [StreamUnit] {
        takePending()
    }

    mutating func takePending() -> [StreamUnit] {
        var unit = StreamUnit(
            bytes: pending, offset: parsed, end: parsed + pending.count, time: pendingTime, isRemainder: isRemainder)
        parsed = unit.end
        (pending, isRemainder, scanned) = ([], false, 0)
        if framing == .lf, unit.bytes.last == Byte.carriageReturn { unit.bytes.removeLast() }
        return unit.bytes.isEmpty ? [] : [unit]
    }
}
