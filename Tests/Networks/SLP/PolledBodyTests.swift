import SLPWire
import TestSupport
import Testing

struct PolledBodyTests {
    private func decode(_ pieces: [[UInt8]], cap: Int? = nil) -> [Decoded<EnginePacket>] {
        var limits = WireLimits()
        if let cap { (limits.packetBytes, limits.keptBytes) = (cap, 4) }
        var body = PolledBody(limits: limits)
        return pieces.flatMap { body.read($0) } + body.finish()
    }

    @Test(arguments: BodyVector.all)
    func `packets are found at every split of a body`(vector: BodyVector) {
        for pieces in Array(vector.body).splits {
            #expect(decode(pieces) == vector.packets, "\(pieces.map(\.count))")
        }
    }

    @Test(arguments: BodyVector.all)
    func `packets are written back as they were read`(vector: BodyVector) {
        let packets = vector.packets.compactMap { if case .packet(let packet) = $0 { packet } else { nil } }
        #expect(PolledBody.encode(packets) == Array(vector.body))
    }

    @Test(
        arguments: [
            ("4a\u{1E}", [.packet(.message(Array("a"))), .malformed([], .empty)]),
            ("\u{1E}4a", [.malformed([], .empty), .packet(.message(Array("a")))]),
            (
                "4a\u{1E}7x\u{1E}6",
                [.packet(.message(Array("a"))), .malformed(Array("7x"), .unknownType), .packet(.noop)]
            ),
            ("bA*ID\u{1E}6", [.malformed(Array("bA*ID"), .invalidBase64), .packet(.noop)]),
            ("b", [.packet(.binary([]))]),
            ("not a packet", [.malformed(Array("not a packet"), .unknownType)]),
        ] as [(String, [Decoded<EnginePacket>])])
    func `an invalid packet hides no other`(body: String, packets: [Decoded<EnginePacket>]) {
        for pieces in Array(body).splits {
            #expect(decode(pieces) == packets, "\(pieces.map(\.count))")
        }
    }

    @Test func `a packet that is too long is dropped once, and the next is read`() {
        let body = Array("4" + String(repeating: "a", count: 50) + "\u{1E}4ok\u{1E}4123456789\u{1E}41234567890")
        let expected: [Decoded<EnginePacket>] = [
            .malformed(Array("4aaa"), .tooLong), .packet(.message(Array("ok"))),
            .packet(.message(Array("123456789"))), .malformed(Array("4123"), .tooLong),
        ]
        for pieces in body.splits {
            #expect(decode(pieces, cap: 10) == expected, "\(pieces.map(\.count))")
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a body of any length is read if its packets are not too long`() {
        let part = Array(String(repeating: "4" + String(repeating: "x", count: 1022) + "\u{1E}", count: 1024))
        var limits = WireLimits()
        limits.packetBytes = 2048
        var body = PolledBody(limits: limits)
        let count = (0..<4).reduce(0) { count, _ in count + body.read(part).count }
        #expect(count == 4096)
    }
}
