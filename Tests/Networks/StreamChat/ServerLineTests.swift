import StreamChatWire
import Testing

struct ServerLineTests {
    @Test func `lines are written in the form of their revision and framing`() {
        let (joined, left) = (ServerLine.joined(name: "bob"), ServerLine.left(name: "bob"))
        let message = ServerLine.message(name: "bob", text: "hi")
        let lines: [(ServerLine, Framing, String, String)] = [
            (joined, .chunk, "bob has joined\n", "bob has joined"),
            (joined, .lf, "bob has joined\n", "bob has joined\n"),
            (left, .nul, "bob has left\n\0", "bob has left\0"),
            (left, .end, "bob has left\n::END", "bob has left::END"),
            (message, .chunk, "bob::hi", "bob::hi"),
            (message, .lf, "bob::hi\n", "bob::hi\n"),
            (message, .nul, "bob::hi\0", "bob::hi\0"),
            (message, .end, "bob::hi::END", "bob::hi::END"),
        ]
        for (line, framing, april, august) in lines {
            #expect(line.encoded(.april2021, framing) == Array(april))
            #expect(line.encoded(.august2021, framing) == Array(august))
        }
    }

    @Test func `a text can't forge a unit with the delimiter`() {
        let forged = ServerLine.message(name: "eve", text: "x\r\nbob::y\0bob::z")
        #expect(forged.encoded(.august2021, .lf) == Array("eve::x  bob::y\0bob::z\n"))
        #expect(forged.encoded(.august2021, .nul) == Array("eve::x\r\nbob::y bob::z\0"))
    }

    @Test(arguments: [Framing.lf, .nul, .end], Revision.allCases)
    func `a client reads what a server writes`(framing: Framing, revision: Revision) {
        let lines: [ServerLine] = [
            .joined(name: "밥"), .message(name: "밥", text: ""), .message(name: "밥", text: "a::b:"),
        ]
        let expected: [UnitContent] = [
            .joined("밥"), .message(name: "밥", text: ""), .message(name: "밥", text: "a::b:"), .left("밥"),
        ]
        let bytes = (lines + [.left(name: "밥")]).flatMap { $0.encoded(revision, framing) }
        for pieces in [[bytes]] + bytes.splits + [bytes.pieces(of: 1)] {
            #expect(parse(pieces, framing).map(\.content) == expected)
        }
    }
}
