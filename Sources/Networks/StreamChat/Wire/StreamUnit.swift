/// Bytes that the server sent as one message, notice or line, as far as can be determined.
package struct StreamUnit: Sendable, Hashable {
    /// The bytes without the delimiter; never empty.
    package var bytes: [UInt8]
    /// The position of the first byte in the connection's stream, from 0. With the session it identifies the unit.
    package var offset: Int
    /// The position after the last byte, with the delimiter.
    package var end: Int
    /// The time of the read with the first byte, in microseconds.
    package var time: Int64
    /// True if it was cut at the limit; the rest follows as the next unit.
    package var isOversize = false
    /// True for the rest of an oversize unit, whose beginning has no meaning.
    package var isRemainder = false
}
