import TestSupport
import Testing

@testable import Sessions

struct ConnectionPaceTests {
    private final class Account: Sendable {}

    private func turns(_ pace: ConnectionPace, _ accounts: [Account], seed: UInt64 = 1) -> [Duration] {
        var random = SeededGenerator(seed: seed)
        return accounts.map { pace.take("irc.example", by: ObjectIdentifier($0), now: .seconds(5), using: &random) }
    }

    @Test func `accounts of one server connect one after another with random waits`() {
        let accounts = (0..<12).map { _ in Account() }
        let waits = turns(ConnectionPace(), accounts)
        #expect(waits[0] == .zero)
        let between = zip(waits, waits.dropFirst()).map { $1 - $0 }
        #expect(between.allSatisfy { $0 >= .seconds(2) && $0 <= .seconds(4) } && Set(between).count > 8, "\(between)")
        #expect(waits != turns(ConnectionPace(), accounts, seed: 2))
    }

    @Test func `a server's only account does not wait, nor do accounts of different servers`() {
        let (pace, account) = (ConnectionPace(), Account())
        #expect(turns(pace, [account, account, account]) == [.zero, .zero, .zero])
        var random = SeededGenerator(seed: 1)
        let other = Account()
        #expect(pace.take("other.example", by: ObjectIdentifier(other), now: .seconds(5), using: &random) == .zero)
        #expect(turns(pace, [other]) != [.zero])
    }

    @Test func `a refusing server gets fewer connections, up to a limit`() {
        let (pace, accounts) = (ConnectionPace(), (0..<3).map { _ in Account() })
        _ = turns(pace, accounts)
        for _ in 0..<10 { pace.slow("irc.example") }
        let waits = turns(pace, accounts)
        let between = waits[2] - waits[1]
        #expect(between >= .seconds(40) && between <= .seconds(80), "\(waits)")
        pace.slow("nobody.example")
    }
}
