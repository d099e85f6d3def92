/// Bytes that the server sent as one, as far as can be told: a message, a notice or a line.
package struct StreamUnit: Sendable, Hashable {
    /// Without the delimiter; never empty.
    package var bytes: [UInt8]
    /// Place of the first byte in the connection's stream, from 0. With the session it is the unit's identity.
    package var offset: Int
    /// Place after the last byte, the delimiter included.
    package var end: Int
    /// When the read with the first byte came, in microseconds.
    package var time: Int64
    /// Cut at the cap; the rest follows as the next unit.
    package var isOversize = false
    /// Follows an oversize unit as its rest, so its beginning is no beginning.
    package var isRemainder = false
}
