import Testing

@testable import IRCWire

final class CapabilityTests {
    private var negotiation = CapabilityNegotiation(wanted: ["batch", "server-time", "sasl", "message-tags"])

    private func lines(_ line: String) -> [String] {
        negotiation.receive(IRCMessage(line)).shown
    }

    @Test func `the list can have many lines, and only wanted capabilities are requested`() {
        #expect(negotiation.start().shown == ["CAP LS 302"])
        #expect(lines(":s CAP * LS * :batch draft/decoy=x tls") == [])
        #expect(lines(":s CAP * LS :sasl=PLAIN,EXTERNAL server-time") == ["CAP REQ :batch sasl server-time"])
        #expect(negotiation.offered == ["batch": "", "sasl": "PLAIN,EXTERNAL", "server-time": ""])
        #expect(lines(":s CAP me ACK :batch sasl server-time ") == ["settled"])
        #expect(negotiation.enabled == ["batch", "sasl", "server-time"])
    }

    @Test func `a list without wanted capabilities settles at once`() {
        #expect(lines(":s CAP * LS :decoy") == ["settled"])
        #expect(lines(":s CAP * LS :batch") == [])
    }

    @Test func `the capabilities of a refused request are requested one by one`() {
        #expect(lines("CAP * LS :batch sasl server-time") == ["CAP REQ :batch sasl server-time"])
        #expect(lines("CAP * NAK :batch sasl ser") == ["CAP REQ batch"])
        #expect(lines("CAP * ACK batch") == ["CAP REQ sasl"])
        #expect(lines("CAP * NAK :") == ["CAP REQ server-time"])
        #expect(lines("CAP * ACK :server-time") == ["settled"])
        #expect(negotiation.enabled == ["batch", "server-time"])
        #expect(negotiation.offered["sasl"] == nil)
    }

    @Test func `an acknowledgement can have many lines`() {
        #expect(lines("CAP * LS :batch sasl") == ["CAP REQ :batch sasl"])
        #expect(lines("CAP * ACK * :batch") == [])
        #expect(lines("CAP * ACK :sasl") == ["settled"])
        #expect(negotiation.enabled == ["batch", "sasl"])
    }

    @Test func `an acknowledgement of an unrequested capability is ignored`() {
        #expect(lines("CAP * LS :batch") == ["CAP REQ batch"])
        #expect(lines("CAP * ACK :sasl decoy") == [])
        #expect(lines("CAP * ACK :batch") == ["settled"])
        #expect(negotiation.enabled == ["batch"])
    }

    @Test func `a new wanted capability is requested, and a removed one is disabled`() {
        _ = lines("CAP * LS :batch")
        _ = lines("CAP * ACK :batch")
        #expect(lines("CAP me NEW :decoy server-time batch") == ["CAP REQ server-time"])
        #expect(lines("CAP me ACK :server-time") == ["changed"])
        #expect(lines("CAP me DEL :batch decoy") == ["changed"])
        #expect(negotiation.enabled == ["server-time"])
        #expect(lines("CAP me NEW :batch") == ["CAP REQ batch"])
        #expect(lines("CAP me NAK :batch") == [])
        #expect(lines("CAP me ACK :-server-time") == ["changed"])
        #expect(negotiation.enabled.isEmpty)
    }

    @Test func `a new capability waits for the end of the list or request`() {
        #expect(lines("CAP * LS * :batch") == [])
        #expect(lines("CAP * NEW :sasl") == [])
        #expect(lines("CAP * LS :") == ["CAP REQ :batch sasl"])
        #expect(lines("CAP * NEW :server-time") == [])
        #expect(lines("CAP * ACK :batch sasl") == ["CAP REQ server-time"])
        #expect(lines("CAP * ACK :server-time") == ["settled"])
    }

    @Test func `the server's list decides what is enabled`() {
        _ = lines("CAP * LS :batch sasl")
        _ = lines("CAP * ACK :batch sasl")
        #expect(lines("CAP me LIST * :batch") == [])
        #expect(lines("CAP me LIST :decoy") == ["changed"])
        #expect(negotiation.enabled == ["batch"])
    }

    @Test func `a server without capabilities settles with none`() {
        #expect(lines(":s 421 me CAP :Unknown command") == ["settled"])
        #expect(lines(":s 421 me CAP :Unknown command") == [])
        #expect(lines(":s 421 me FOO :Unknown command") == [])
    }

    @Test func `no request reaches 400 bytes`() {
        let names = (0..<60).map { "example.net/capability-\($0)" }
        var negotiation = CapabilityNegotiation(wanted: Set(names))
        var actions: [CapabilityNegotiation.Action] = []
        for name in names.dropLast() { _ = negotiation.receive(IRCMessage("CAP * LS * :\(name)")) }
        actions = negotiation.receive(IRCMessage("CAP * LS :\(names[59])"))
        var asked: [String] = []
        while case .send(let request)? = actions.first {
            #expect(request.line.utf8.count + 2 < CapabilityNegotiation.maximumRequestBytes)
            asked += request.param(1).text.split(separator: " ").map(String.init)
            actions = negotiation.receive(IRCMessage("CAP * ACK :\(request.param(1).text)"))
        }
        #expect(asked.sorted() == names.sorted() && actions == [.settled])
    }
}

extension [CapabilityNegotiation.Action] {
    var shown: [String] {
        map { action in
            switch action {
            case .send(let message): message.line
            case .settled: "settled"
            case .changed: "changed"
            }
        }
    }
}
