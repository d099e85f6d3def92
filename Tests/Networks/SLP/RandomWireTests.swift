import SLPWire
import TestSupport
import Testing

/// Bytes that a program made up: no trap, no bound exceeded, and nothing depends on how they are split.
@Suite(.disabled(if: QuickCheck.isRunning))
struct RandomWireTests {
    private static let pieces = [
        "\u{1E}", "4", "b", "2", "6", "0", "5", "1-", "64-", "/", ",", "/ws-channel-1,", "[", "]", "\"", "\\", "{",
        "[\"channel\",", "{\"_placeholder\":true,\"num\":0}", "AQID", "==", "12", "probe", "가", " ",
    ]

    /// A body of packets good and bad: vectors with bytes changed, and pieces at random.
    private func body(_ random: inout SeededGenerator) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<20 {
            let vector = PacketVector.all.randomElement(using: &random)?.packet ?? SocketPacket(.connect)
            bytes += PolledBody.encode(vector.encoded) + [0x1E]
            for _ in 0..<5 { bytes += Array(Self.pieces.randomElement(using: &random) ?? "") }
        }
        for _ in 0..<Int.random(in: 0...60, using: &random) {
            let place = bytes.indices.randomElement(using: &random) ?? 0
            switch Int.random(in: 0..<3, using: &random) {
            case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
            case 1: bytes.remove(at: place)
            default: bytes.insert(UInt8.random(in: .min ... .max, using: &random), at: place)
            }
        }
        return bytes
    }

    private func pieces(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [[UInt8]] {
        var (rest, pieces) = (bytes[...], [[UInt8]]())
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...30, using: &random))
            pieces.append(Array(piece))
            rest = rest.dropFirst(piece.count)
        }
        return pieces
    }

    private func decode(_ pieces: [[UInt8]], _ limits: WireLimits) -> [Decoded<EnginePacket>] {
        var body = PolledBody(limits: limits)
        return pieces.flatMap { body.read($0) } + body.finish()
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `the split of a body changes nothing, and every packet is within its limits`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var limits = WireLimits()
        limits.packetBytes = Int.random(in: 1...200, using: &random)
        limits.attachments = Int.random(in: 0...3, using: &random)
        let bytes = body(&random)
        let packets = decode([bytes], limits)
        #expect(decode(pieces(bytes, &random), limits) == packets)
        var decoder = SocketDecoder(limits: limits)
        for case .packet(let packet) in packets {
            #expect(packet.encoded.count <= limits.packetBytes)
            for decoded in read(packet, &decoder) {
                guard case .packet(let packet) = decoded else { continue }
                let size = packet.payload.count + packet.attachments.reduce(0) { $0 + $1.count }
                #expect(size <= limits.packetBytes && packet.attachments.count <= limits.attachments)
                #expect(packet.kind != .event || SocketEvent(payload: packet.payload) != nil)
                _ = packet.refusal
            }
        }
        for case .packet(.open(let data)) in packets { _ = Handshake(data) }
    }

    private func read(_ packet: EnginePacket, _ decoder: inout SocketDecoder) -> [Decoded<SocketPacket>] {
        switch packet {
        case .message(let text): decoder.read(message: text)
        case .binary(let data): decoder.read(attachment: data)
        default: []
        }
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `packets arrive as sent, however the bodies are cut`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let sent = (0..<30).compactMap { _ in PacketVector.all.randomElement(using: &random)?.packet }
        var decoder = SocketDecoder()
        let bytes = PolledBody.encode(sent.flatMap(\.encoded))
        let received = decode(pieces(bytes, &random), WireLimits()).flatMap { decoded -> [Decoded<SocketPacket>] in
            if case .packet(let packet) = decoded { read(packet, &decoder) } else { [] }
        }
        #expect(received == sent.map { .packet($0) })
    }
}
