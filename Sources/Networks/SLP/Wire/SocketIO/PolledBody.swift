import Bytes
import FoundationEssentials

/// Cuts the body of a poll's answer into packets. The body may come in any parts.
///
/// A body may have any length, because a server sends all waiting packets in one. Memory is bounded by one part and one
/// packet of the greatest length; time is linear in the bytes.
package struct PolledBody: Sendable {
    private let limits: WireLimits
    /// The packet that is being read.
    private var pending: [UInt8] = []
    /// True if the packet was too long and has been reported; the rest of it is skipped.
    private var isDropping = false
    /// True after a separator, when a packet must follow, even an empty one.
    private var isExpected = false

    package init(limits: WireLimits = WireLimits()) {
        self.limits = limits
    }

    /// Returns the packets that end within these bytes.
    package mutating func read(_ bytes: [UInt8]) -> [Decoded<EnginePacket>] {
        var packets: [Decoded<EnginePacket>] = []
        var rest = bytes[...]
        while let separator = rest.firstIndex(of: Byte.recordSeparator) {
            append(rest[..<separator], &packets)
            end(&packets)
            isExpected = true
            rest = rest[(separator + 1)...]
        }
        append(rest, &packets)
        return packets
    }

    /// Returns the last packet. Call it at the end of a complete body.
    package mutating func finish() -> [Decoded<EnginePacket>] {
        var packets: [Decoded<EnginePacket>] = []
        if isExpected || !pending.isEmpty { end(&packets) }
        isExpected = false
        return packets
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>, _ packets: inout [Decoded<EnginePacket>]) {
        guard !isDropping else { return }
        guard pending.count + bytes.count <= limits.packetBytes else {
            // Keeps no more than the limit, so that the kept bytes don't depend on how the body was split.
            let kept = min(limits.keptBytes, limits.packetBytes)
            packets.append(.malformed(Array((pending + bytes.prefix(kept)).prefix(kept)), .tooLong))
            (pending, isDropping) = ([], true)
            return
        }
        pending += bytes
    }

    private mutating func end(_ packets: inout [Decoded<EnginePacket>]) {
        if !isDropping { packets.append(Self.decode(pending)) }
        (pending, isDropping) = ([], false)
    }

    private static func decode(_ bytes: [UInt8]) -> Decoded<EnginePacket> {
        guard bytes.first == Byte.base64 else { return EnginePacket.decode(text: bytes) }
        guard let data = Data(base64Encoded: Data(bytes.dropFirst())) else { return .malformed(bytes, .invalidBase64) }
        return .packet(.binary(Array(data)))
    }

    /// Returns the body for the packets, in their order.
    package static func encode(_ packets: [EnginePacket]) -> [UInt8] {
        Array(packets.map(encode).joined(separator: [Byte.recordSeparator]))
    }

    private static func encode(_ packet: EnginePacket) -> [UInt8] {
        guard case .binary(let data) = packet else { return packet.encoded }
        return [Byte.base64] + Data(data).base64EncodedString().utf8
    }
}
