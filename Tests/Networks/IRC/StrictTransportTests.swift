import Testing

@testable import IRCWire

struct StrictTransportTests {
    private let identity = Registration.Identity(nick: "archiver", user: "arch", realName: "An Archiver")

    private func receive(_ lines: String..., by registration: inout Registration) -> [String] {
        var actions: [Registration.Action] = []
        for line in lines { actions += registration.receive(IRCMessage(line)) }
        return actions.shown
    }

    @Test(
        arguments: [
            ("port=6697,duration=300", 6697, 300), ("duration=0", nil, 0), ("preload,port=65535,x=y=z", 65_535, nil),
            ("port=1,port=2", 1, nil), ("", nil, nil), ("port,duration", nil, nil), ("port=,duration=", nil, nil),
            ("port=0", nil, nil), ("port=65536", nil, nil), ("port=-1,duration=-1", nil, nil), ("port=+5", nil, nil),
            ("duration=99999999999999999999", nil, 315_360_000), ("ports=1", nil, nil),
        ] as [(String, Int?, Int64?)])
    func `a demand for TLS has a port and a duration`(value: String, port: Int?, duration: Int64?) {
        let demand = StrictTransport(value)
        #expect(demand.port == port && demand.duration == duration)
    }

    @Test func `a connection without TLS ends at the first line that demands TLS`() {
        var registration = Registration(identity, isUpgradable: true)
        #expect(
            receive("CAP * LS * :batch sts=duration=9,port=6697", by: &registration) == [
                "ended: the server asks for TLS on port 6697"
            ])
        #expect(receive("CAP * LS :server-time", "001 a :hi", "422 a :none", by: &registration) == [])
    }

    @Test func `a demand for TLS after the registration ends the connection`() {
        var registration = Registration(identity, isUpgradable: true)
        #expect(
            receive("CAP * LS :sts=duration=9", "001 a :hi", "422 a :none", by: &registration) == ["CAP END", "ready"])
        #expect(
            receive("CAP a NEW :sts=port=6697", by: &registration) == ["ended: the server asks for TLS on port 6697"])
    }

    @Test func `a TLS connection only notes the demand, which is never requested or deleted`() {
        var registration = Registration(identity)
        #expect(receive("CAP * LS :sts=port=6697,duration=9", by: &registration) == ["CAP END"])
        #expect(receive("001 a :hi", "422 a :none", "CAP a DEL :sts", by: &registration) == ["ready"])
        #expect(registration.strictTransport == StrictTransport("port=6697,duration=9"))
        #expect(receive("CAP a NEW :sts=duration=0", by: &registration) == [])
        #expect(registration.strictTransport?.duration == 0)
    }
}
