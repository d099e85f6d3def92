import Archive
import ChatModel
import IRC
import Reading
import Sessions
import TestSupport
import Testing

/// Messages from an absence are fetched completely.
struct IRCHistoryTests: IRCHistorySuite {
    let archiving: IRCArchiving

    init() throws {
        archiving = try IRCArchiving()
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: HistoryServer.Kind.allCases, [0, 1, 9, 10, 11, 35])
    func `messages from an absence are fetched over any number of pages, without a gap`(
        kind: HistoryServer.Kind, count: Int
    ) async throws {
        let server = HistoryServer(kind)
        try await listening(to: server) {
            try await outage(server) { try await Self.says(count, $0) }
            try await agrees(server)
            try await hasNoGap(server)
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: HistoryServer.Kind.allCases, 1...6)
    func `a connection that ends instead of or within an answer loses nothing`(
        kind: HistoryServer.Kind, request: Int
    ) async throws {
        let server = HistoryServer(kind)
        try await listening(to: server) {
            try await outage(server) { server in
                // Of a room in which nothing was ever said, nobody can tell whether its history had more once.
                let asked = server.requests.count
                server.fails { faults in
                    faults.disconnects = [asked + request]
                    faults.cuts = [asked + request + 2: 4]
                }
                try await Self.says(35, server)
            }
            try await agrees(server)
            try await hasNoGap(server)
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `an id that the server forgot is found by its time`() async throws {
        let server = HistoryServer(.ids)
        try await listening(to: server) {
            try await outage(server) { server in
                try await Self.says(35, server)
                let count = server.said.count
                server.fails { $0.forgottenIDs = count - 35 }
            }
            try await agrees(server)
            #expect(server.requests.contains { $0.hasPrefix("AFTER #example msgid=") })
            #expect(server.requests.contains { $0.hasPrefix("AFTER #example timestamp=") })
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: HistoryServer.Kind.allCases)
    func `equal messages of one second keep their number`(kind: HistoryServer.Kind) async throws {
        let server = HistoryServer(kind)
        try await listening(to: server) {
            try await outage(server) { server in
                let now = server.now
                for number in 0..<25 { try await server.say("ㅋㅋㅋ", at: now + Int64(number / 4)) }
            }
            try await agrees(server)
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: HistoryServer.Kind.allCases)
    func `short pages and live messages before the answer are handled`(kind: HistoryServer.Kind) async throws {
        let server = HistoryServer(kind)
        server.fails { faults in
            faults.pageLimit = 3
            faults.saidBefore = [3: "끼어듦 1", 4: "끼어듦 2", 6: "끼어듦 3"]
        }
        try await listening(to: server) {
            try await outage(server) { try await Self.says(20, $0) }
            try await agrees(server)
            try await hasNoGap(server)
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: HistoryServer.Kind.allCases, 1...6)
    func `with any failures, messages and coverage agree with what was said`(
        kind: HistoryServer.Kind, seed: UInt64
    ) async throws {
        var random = SeededGenerator(seed: seed)
        let server = HistoryServer(kind, limit: [3, 7, 10].randomElement(using: &random) ?? 3)
        server.fails { faults in
            for request in 1...60 where Int.random(in: 0..<6, using: &random) == 0 {
                switch Int.random(in: 0..<4, using: &random) {
                case 0: faults.disconnects.insert(request)
                case 1: faults.cuts[request] = Int.random(in: 0..<4, using: &random)
                case 2: faults.silences.insert(request)
                default: faults.saidBefore[request] = "끼어듦 \(request)"
                }
            }
        }
        try await listening(to: server, Self.noticesSilence) {
            var outages: Int64 = 0
            for round in 0..<4 {
                try await joined(server)
                for number in 0..<Int.random(in: (round == 0 ? 1 : 0)..<6, using: &random) {
                    try await server.say("\(round) 듣는 중 \(number)")
                }
                if round == 0 { try await archiving.holds("#example alice: 0 듣는 중 0") }
                let seconds = Int64.random(in: 20..<4000, using: &random)
                outages += seconds
                try await server.isAway(for: seconds) { server in
                    var time = server.now
                    for number in 0..<Int.random(in: 0..<25, using: &random) {
                        time += [0, 0, 1, 700].randomElement(using: &random) ?? 0
                        try await server.say("\(round) 없는 동안 \(number)", at: time)
                    }
                    if Int.random(in: 0..<3, using: &random) == 0 { server.forgets(before: server.now + 300) }
                }
            }
            try await joined(server)
            try await server.say("후")
            try await settled(server)
            try await agrees(server, outages: outages, inPages: true)
        }
    }
}
