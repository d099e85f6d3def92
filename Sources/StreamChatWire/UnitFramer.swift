import Bytes

/// Cuts what one connection receives into units.
///
/// Has no clock: every call says what time it is, in microseconds of any epoch. Memory stays within one read and one unit
/// of the greatest length, and time is linear in the bytes, whatever the peer sends.
package struct UnitFramer: Sendable {
    package struct Limits: Sendable, Hashable {
        /// How long `chunk` waits for the rest of a unit, in microseconds. 30 ms: reads that belong together were sent
        /// together, and people do not type two messages within it.
        package var continuation: Int64 = 30_000
        /// How much longer it waits where a code point is incomplete, in microseconds.
        package var codePoint: Int64 = 1_000_000
        /// The greatest length of a unit, in bytes; 300 Characters of family emoji take 7,500.
        package var unitBytes = 64 * 1024

        package init() {}
    }

    package let framing: Framing
    private(set) var limits: Limits

    /// The unit being read.
    var pending: [UInt8] = []
    /// When the read with the first byte of `pending` came.
    var pendingTime: Int64 = 0
    /// `pending` is the rest of an oversize unit.
    var isRemainder = false
    /// Place of the first byte that is in no unit yet: up to here the stream is parsed, unless it is the end.
    package internal(set) var parsed: Int

    /// Of `chunk`: when bytes last came, and whether they filled the buffer they were read into.
    var lastRead: Int64 = 0
    var lastFilledBuffer = false
    /// Of the others: where in `pending` the next delimiter may begin.
    var scanned = 0

    /// `offset` is the place of the first byte to come, not 0 where a journal is parsed on from the middle.
    package init(_ framing: Framing, limits: Limits = Limits(), offset: Int = 0) {
        self.framing = framing
        self.limits = limits
        // No cap is too small for one code point.
        self.limits.unitBytes = max(4, limits.unitBytes)
        self.parsed = offset
    }

    /// The units that are complete with these bytes. `filledBuffer` says that the read took all that its buffer could
    /// hold, so that more of the same may be waiting. `time` must not be lower than in the call before.
    package mutating func read(
        _ bytes: [UInt8], at time: Int64, filledBuffer: Bool = false, known: KnownNames
    ) -> [StreamUnit] {
        guard !bytes.isEmpty else { return deadlinePassed(at: time) }
        return framing == .chunk
            ? readChunk(bytes, at: time, filledBuffer: filledBuffer, known: known)
            : readDelimited(bytes, at: time, known: known)
    }

    /// When ``deadlinePassed(at:)`` is to be called if nothing is read before; nil where only bytes can end a unit.
    package var deadline: Int64? {
        guard framing == .chunk, !pending.isEmpty else { return nil }
        return lastRead &+ limits.continuation &+ (pending[...].incompleteTail > 0 ? limits.codePoint : 0)
    }

    /// The unit that time has completed, if any; none before the deadline.
    package mutating func deadlinePassed(at time: Int64) -> [StreamUnit] {
        guard let deadline, time >= deadline else { return [] }
        return takePending()
    }

    /// The connection is over: what is left is the last unit.
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
