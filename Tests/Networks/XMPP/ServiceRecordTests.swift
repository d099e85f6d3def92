import Testing

@testable import XMPPWire

struct ServiceRecordTests {
    private static func name(_ labels: String...) -> [UInt8] {
        labels.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
    }

    private static func record(_ target: [UInt8], priority: UInt8 = 5, port: (UInt8, UInt8) = (0x14, 0x66)) -> [UInt8] {
        [0xC0, 12, 0, 33, 0, 1, 0, 0, 0, 60, 0, UInt8(6 + target.count), 0, priority, 0, 10, port.0, port.1] + target
    }

    private static func answer(_ records: [[UInt8]]) -> [UInt8] {
        [0, 1, 0x81, 0x80, 0, 1, 0, UInt8(records.count), 0, 0, 0, 0] + name("_xmpp-client", "_tcp", "example", "org")
            + [0, 33, 0, 1] + records.flatMap(\.self)
    }

    @Test func `records have their hosts, also those with the place of an earlier name`() {
        // The question's `example.org` begins at byte 30.
        let answer = Self.answer([
            Self.record(Self.name("xmpp", "example", "net")),
            Self.record([3] + Array("alt".utf8) + [0xC0, 30], priority: 9),
        ])
        #expect(
            ServiceRecord.all(in: answer) == [
                ServiceRecord(priority: 5, weight: 10, port: 5222, host: "xmpp.example.net"),
                ServiceRecord(priority: 9, weight: 10, port: 5222, host: "alt.example.org"),
            ])
    }

    @Test func `a dot says that there is no such service`() {
        #expect(ServiceRecord.all(in: Self.answer([Self.record([0])])) == [])
    }

    @Test func `an answer that was cut or points to itself is refused`() {
        let answer = Self.answer([Self.record(Self.name("xmpp", "example", "net"))])
        for count in 0..<answer.count { #expect(ServiceRecord.all(in: Array(answer[..<count])) == nil) }
        let place = UInt8(Self.answer([]).count + 18)
        #expect(ServiceRecord.all(in: Self.answer([Self.record([0xC0, place])])) == nil)
    }
}
