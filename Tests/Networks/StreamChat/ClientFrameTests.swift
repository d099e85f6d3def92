import StreamChatWire
import TestSupport
import Testing

struct ClientFrameTests {
    private func decode(_ pieces: [[UInt8]], _ revision: Revision = .august2021, cap: Int = 16 * 1024) -> [DecodedFrame]
    {
        var decoder = ClientFrameDecoder(revision, maximumPayload: cap)
        let frames = pieces.flatMap { decoder.read($0) }
        return frames + (decoder.finish().map { [$0] } ?? [])
    }

    /// Whole, split at every place, and byte by byte.
    private func expect(
        _ bytes: [UInt8], _ frames: [DecodedFrame], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for pieces in [[bytes]] + bytes.splits + [bytes.pieces(of: 1)] {
            #expect(decode(pieces) == frames, "\(pieces.map(\.count))", sourceLocation: sourceLocation)
        }
    }

    @Test func `frames are written in the form of their revision`() {
        #expect(ClientFrame.join(name: "bob").encoded(.august2021) == Array("USR_NAME::bob::END"))
        #expect(ClientFrame.message(text: "hi").encoded(.august2021) == Array("MSG::hi::END"))
        #expect(ClientFrame.leave.encoded(.august2021) == Array("LEAVE::::END"))
        #expect(ClientFrame.join(name: "bob").encoded(.april2021) == Array("USR_NAME::bob"))
        #expect(ClientFrame.message(text: "hi").encoded(.april2021) == Array("MSG::hi"))
        #expect(ClientFrame.leave.encoded(.april2021) == [])
    }

    @Test func `frames are found at every split of the input`() {
        expect(
            Array("USR_NAME::bob::ENDMSG::hi::ENDLEAVE::::END"),
            [.frame(.join(name: "bob")), .frame(.message(text: "hi")), .frame(.leave)])
    }

    @Test func `an empty name is valid`() {
        expect(Array("USR_NAME::::END"), [.frame(.join(name: ""))])
    }

    @Test(arguments: [
        ":", "foo::", "", "END", ":END", "::EN", "MSG", "LEAVE", "USR_NAME", "MSG:", "\u{301}", "a\0b\n", "::ENMSG",
        "::E",
    ])
    func `a text extends to its end mark`(text: String) {
        let frame = ClientFrame.message(text: text)
        expect(frame.encoded(.august2021) + ClientFrame.leave.encoded(.august2021), [.frame(frame), .frame(.leave)])
    }

    @Test func `a frame cut inside a code point does not swallow the next one`() {
        let cut = Array("MSG::" + "가나").dropLast()
        expect(
            Array(cut + Array("MSG::ok::END")), [.malformed(Array(cut), .unterminated), .frame(.message(text: "ok"))])
    }

    @Test func `a text with invalid UTF-8 is malformed`() {
        let bytes = Array("MSG::a") + [0xEA, 0xB0] + Array("::END")
        expect(
            bytes + Array("MSG::ok::END"), [.malformed(bytes.dropLast(5), .invalidUTF8), .frame(.message(text: "ok"))])
    }

    @Test func `unrelated memory, padding and line ends after a frame are skipped`() {
        let memory = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 7) } + Array("::END:MS")
        for junk in [memory, [0, 0, 0], Array("\r\n"), Array("USR_NAME:"), Array("::::")] {
            expect(
                Array("USR_NAME::bob::END") + junk + Array("MSG::hi::END") + junk,
                [.frame(.join(name: "bob")), .frame(.message(text: "hi"))])
        }
    }

    @Test func `a frame at the end of the connection is incomplete`() {
        expect(Array("MSG::hi::EN"), [.malformed(Array("MSG::hi::EN"), .unterminated)])
    }

    @Test(arguments: [1, 10, 100_000])
    func `a frame that is too long is dropped, and the next is read`(size: Int) {
        let bytes = Array("MSG::" + String(repeating: "a", count: 5000) + "::ENDMSG::ok::END")
        let dropped = Array("MSG::" + String(repeating: "a", count: 100))
        let expected: [DecodedFrame] = [.malformed(dropped, .tooLong), .frame(.message(text: "ok"))]
        #expect(decode(bytes.pieces(of: size), cap: 100) == expected)
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [UInt8(ascii: "a"), UInt8(ascii: ":"), 0])
    func `512 KiB without a frame or an end are ignored`(byte: UInt8) {
        let read = [UInt8](repeating: byte, count: 64 * 1024)
        for start in ["", "MSG::"] {
            var decoder = ClientFrameDecoder(.august2021)
            var frames = decoder.read(Array(start))
            for _ in 0..<8 { frames += decoder.read(read) }
            #expect(frames.count == (start.isEmpty ? 0 : 1))
            #expect(decoder.read(Array("MSG::ok::END")).last == .frame(.message(text: "ok")))
        }
    }

    @Test func `in 2021-04, a read is a frame`() {
        let reads = ["USR_NAME::bob", "MSG::hi\r\n", "MSG::a::END\0\0\0", "MSG::::", "MSG::x\0memory", "\n", "hello"]
        let expected: [DecodedFrame] = [
            .frame(.join(name: "bob")), .frame(.message(text: "hi")), .frame(.message(text: "a::END")),
            .frame(.message(text: "::")), .frame(.message(text: "x")), .malformed(Array("hello"), .unknown),
        ]
        #expect(decode(reads.map { Array($0.utf8) }, .april2021) == expected)
    }
}
