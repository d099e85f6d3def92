import ChatModel
import Foundation
import Logging
import NIOCore
import NIOPosix
import Options
import Rendering
import Sessions
import TestSupport
import Testing

@testable import Scrollback
@testable import Service
@testable import Settings

struct MetricsTests {
    private static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private static func status(_ account: String) -> AccountStatus {
        AccountStatus(
            account: account, network: "streamchat", state: .connected, since: nil, lastSignOfLife: sampleTime,
            lastMessage: nil, messages: 3, openGaps: 1, failures: 2, lastError: nil, nextTry: nil)
    }

    @Test(arguments: [
        "127.0.0.1:9187", "127.1.2.3:0", "[::1]:65535", "localhost:1", "LOCALHOST:1", "[0:0:0:0:0:0:0:1]:1",
    ])
    func `an address of this machine is accepted`(text: String) throws {
        #expect(throws: Never.self) { try MetricsAddress(text) }
    }

    @Test(arguments: [
        "0.0.0.0:9187", "[::]:9187", "192.0.2.1:9187", "example.org:9187", "127.0.0.1.example.org:1", "[127.0.0.1]:1",
        "::1:9187", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", ":1", "[]:1", "", "127.0.0.1:9187/metrics",
        "[::ffff:192.0.2.1]:1",
    ])
    func `any other address is refused`(text: String) {
        #expect(throws: MetricsAddress.Invalid.self) { try MetricsAddress(text) }
    }

    @Test func `an address of other machines is refused with advice`() throws {
        let error = try #require(throws: MetricsAddress.Invalid.self) { try MetricsAddress("0.0.0.0:9187") }
        #expect(error.description.contains("ssh -L 9187:127.0.0.1:9187"))
        #expect(error.description.contains("reverse proxy"))
    }

    /// What a server that has `metrics` says to `request`, all of it until it hangs up.
    private func answer(to request: String, limits: MetricsLimits = MetricsLimits()) async throws -> String {
        try await withServer(limits: limits) { port in try await Self.exchange(request, port: port) }
    }

    private func withServer<Result: Sendable>(
        limits: MetricsLimits = MetricsLimits(), _ body: (Int) async throws -> Result
    ) async throws -> Result {
        let server = try await MetricsServer(
            address: try MetricsAddress("127.0.0.1:0"), limits: limits, logger: Self.quiet
        ) { isDetailed in isDetailed ? "scrollback_connected 2\n" : "scrollback_connected 1\n" }
        return try await body(server.port)
    }

    private static func exchange(_ request: String, port: Int) async throws -> String {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            // A server that hangs up at once is what some tests are about.
            try? await outbound.write(ByteBuffer(string: request))
            var text = ""
            do {
                for try await part in inbound { text += String(buffer: part) }
            } catch is IOError {}
            return text
        }
    }

    @Test(.timeLimit(.minutes(MachineSpeed.minutes(5))))
    func `metrics are answered, and the connection ends`() async throws {
        let text = try await answer(to: "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1:9187\r\n\r\n")
        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(text.contains("Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n"))
        #expect(text.hasSuffix("\r\n\r\nscrollback_connected 1\n"))
    }

    @Test(.timeLimit(.minutes(MachineSpeed.minutes(5))))
    func `details are served on request`() async throws {
        let text = try await answer(to: "GET /metrics?detail=1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(text.hasSuffix("\r\n\r\nscrollback_connected 2\n"))
    }

    @Test(.timeLimit(.minutes(MachineSpeed.minutes(5))))
    func `HEAD gets only the headers`() async throws {
        let text = try await answer(to: "HEAD /metrics HTTP/1.1\r\nHost: [::1]\r\n\r\n")
        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(text.contains("Content-Length: 23\r\n"))
        #expect(text.hasSuffix("\r\n\r\n"))
    }

    @Test(
        .timeLimit(.minutes(MachineSpeed.minutes(5))),
        arguments: [
            ("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "404"),
            ("GET /metrics?detail=2 HTTP/1.1\r\nHost: localhost\r\n\r\n", "404"),
            ("GET /metrics/x HTTP/1.1\r\nHost: localhost\r\n\r\n", "404"),
            ("POST /metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\nx", "405"),
            ("GET /metrics HTTP/1.1\r\nHost: example.org:9187\r\n\r\n", "403"),
            ("GET /metrics HTTP/1.1\r\nHost: 127.0.0.1.example.org\r\n\r\n", "403"),
            ("GET /metrics HTTP/1.1\r\nHost: localhost\r\nHost: example.org\r\n\r\n", "403"),
            ("GET /metrics HTTP/1.0\r\n\r\n", "403"),
            ("nonsense\r\n\r\n", "400"),
        ])
    func `other requests are refused`(request: String, status: String) async throws {
        let text = try await answer(to: request)
        #expect(text.hasPrefix("HTTP/1.1 \(status) "))
        #expect(!text.contains("scrollback_connected"))
    }

    @Test(.timeLimit(.minutes(MachineSpeed.minutes(5))))
    func `a request without an end is disconnected`() async throws {
        let long = "GET /metrics HTTP/1.1\r\nHost: localhost\r\nX: " + String(repeating: "x", count: 100_000)
        #expect(try await !answer(to: long).contains("200"))
        #expect(try await answer(to: "GET /met", limits: MetricsLimits(time: .milliseconds(50))) == "")
    }

    @Test(.timeLimit(.minutes(MachineSpeed.minutes(5))))
    func `connections over the limit are closed, and the others are served`() async throws {
        let request = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"
        let (isAsked, mayAnswer) = (Watched(false), Watched(false))
        let server = try await MetricsServer(
            address: try MetricsAddress("127.0.0.1:0"), limits: MetricsLimits(connections: 1), logger: Self.quiet
        ) { _ in
            isAsked.change { $0 = true }
            await mayAnswer.wait { $0 }
            return "scrollback_connected 1\n"
        }
        async let first = Self.exchange(request, port: server.port)
        await isAsked.wait { $0 }
        #expect(try await Self.exchange(request, port: server.port) == "")
        mayAnswer.change { $0 = true }
        #expect(try await first.contains("200 OK"))
    }

    @Test func `a port in use is a clear error`() async throws {
        try await withServer { port in
            let error = try await #require(throws: ServiceError.self) {
                try await MetricsServer(address: try MetricsAddress("127.0.0.1:\(port)"), logger: Self.quiet) { _ in ""
                }
            }
            #expect(error.description.contains("port \(port): Address already in use"))
        }
    }

    @Test func `names in labels are escaped`() {
        #expect(MetricsText.escaped(#"a"} 1"#) == #"a\"} 1"#)
        #expect(MetricsText.escaped("a\"\u{301}\\\n") == "a\\\"\u{301}\\\\\\\\u{A}")
        let text = MetricsText([Self.status("민수 \"x\"")]).text
        #expect(text.contains("scrollback_connected{account=\"민수 \\\"x\\\"\"} 1\n"))
    }

    @Test func `times are exact, and unknown values have no sample`() {
        let text = MetricsText([Self.status("demo")], isDetailed: true).text
        let labels = #"account="demo""#
        #expect(text.contains("scrollback_last_sign_of_life_timestamp_seconds{\(labels)} 1795242191.123456\n"))
        #expect(text.contains("# TYPE scrollback_wal_bytes gauge\n"))
        #expect(!text.contains("scrollback_wal_bytes{"))
        #expect(!text.contains("scrollback_gaps{"))
        #expect(text.contains("scrollback_account_state{\(labels),state=\"waiting\"} 0\n"))
        #expect(text.contains("scrollback_messages_total{\(labels),kind=\"join\"} 0\n"))
    }

    @Test(arguments: [AccountStatus.State.connecting, .waiting, .needsLogin, .failed])
    func `what a server answers before a login is not a sign of life, also while a later login is tried`(
        state: AccountStatus.State
    ) {
        let meter = AccountMeter()
        meter.traffic.add(5)
        var status = Self.status("demo")
        (status.state, status.lastSignOfLife, status.lastByte) = (state, nil, nil)
        meter.fill(&status)
        #expect(status.lastSignOfLife == nil && status.lastByte == nil && status.receivedBytes == 5)
        status.lastSignOfLife = sampleTime
        meter.fill(&status)
        #expect(status.lastSignOfLife == sampleTime && status.lastByte == sampleTime)
        status.state = .connected
        meter.fill(&status)
        #expect(status.lastSignOfLife == meter.traffic.lastByte && status.lastByte == meter.traffic.lastByte)
    }

    @Test func `a batch is counted by result, and buckets are cumulative`() async throws {
        let meter = AccountMeter()
        let join = IncomingMessage(
            session: SessionID(rawValue: 1), room: RoomReference(key: "", name: "lobby", kind: .server), kind: .join,
            sender: nil, body: nil, receivedAt: sampleTime)
        let chunk = JournalChunk(session: SessionID(rawValue: 1), offset: 0, receivedAt: sampleTime, bytes: [1, 2, 3])
        let batch: [ChatEvent] = [
            .sessionOpened(at: sampleTime), .sessionOpened(at: sampleTime), .chunk(chunk), .message(join),
            .message(join), .message(join, .snapshot), .message(join, .snapshot),
            .message(join, .replay(Occurrence(), .second)),
            .message(join, .replay(Occurrence(), .second)), .message(join, .edit),
        ]
        meter.committed(
            batch,
            [.new(1), .new(2), .done, .new(3), .known(3), .new(4), .version(3), .new(5), .known(3), .new(6)],
            after: .milliseconds(3))
        meter.committed([], [], after: .seconds(60))
        var status = Self.status("demo")
        meter.fill(&status)
        #expect(status.received == ["join": 4])
        #expect(status.receivedBytes == 0)
        #expect(status.reconnects == 1)
        #expect(status.lastEvent == sampleTime)
        let text = MetricsText([status], isDetailed: true).text
        let labels = #"account="demo""#
        #expect(text.contains("scrollback_commit_duration_seconds_bucket{\(labels),le=\"0.0025\"} 0\n"))
        #expect(text.contains("scrollback_commit_duration_seconds_bucket{\(labels),le=\"0.005\"} 1\n"))
        #expect(text.contains("scrollback_commit_duration_seconds_bucket{\(labels),le=\"10\"} 1\n"))
        #expect(text.contains("scrollback_commit_duration_seconds_bucket{\(labels),le=\"+Inf\"} 2\n"))
        #expect(text.contains("scrollback_commit_duration_seconds_sum{\(labels)} 60.003\n"))
        #expect(text.contains("scrollback_messages_total{\(labels),kind=\"join\"} 4\n"))
    }

    @Test func `a plain scrape has each account's state and messages, and one histogram of commits`() {
        var status = Self.status("demo")
        status.received = ["join": 4, "message": 3]
        var times = CommitTimes()
        times.add(.milliseconds(3))
        status.commits = times
        let text = MetricsText([status, status]).text
        #expect(text.contains("scrollback_account_info{account=\"demo\",network=\"streamchat\"} 1\n"))
        #expect(text.contains("scrollback_account_state{account=\"demo\",state=\"connected\"} 1\n"))
        #expect(!text.contains("state=\"waiting\""))
        #expect(text.contains("scrollback_messages_total{account=\"demo\"} 7\n"))
        #expect(text.contains("scrollback_commit_duration_seconds_bucket{le=\"0.005\"} 2\n"))
        #expect(text.contains("scrollback_commit_duration_seconds_sum 0.006\n"))
    }

    @Test func `rooms that can't be joined are counted if the file is readable`() {
        var status = Self.status("demo")
        status.troubledRooms = 2
        #expect(!MetricsText([status]).text.contains("scrollback_troubled_rooms{"))
        status.gapSeconds = 0
        #expect(MetricsText([status]).text.contains("scrollback_troubled_rooms{account=\"demo\"} 2\n"))
    }

    @Test func `a scrape of 200 busy accounts is shorter than 200 kB`() {
        let statuses = (0..<200).map { number in
            var status = Self.status("account-\(number)")
            for figure in [\AccountStatus.lastByte, \.lastEvent, \.lastCommit] { status[keyPath: figure] = sampleTime }
            for figure in [\AccountStatus.receivedBytes, \.gapSeconds, \.fileBytes, \.walBytes] {
                status[keyPath: figure] = 123_456_789
            }
            (status.reconnects, status.messages) = (12, 123_456_789)
            status.received = Dictionary(uniqueKeysWithValues: MessageKind.allCases.map { ($0.rawValue, 123_456) })
            return status
        }
        #expect(MetricsText(statuses).text.utf8.count < 200_000)
        #expect(MetricsText(statuses, isDetailed: true).text.utf8.count > 400_000)
    }

    @Test func `every line of metrics has Prometheus's form, and every family is documented`() throws {
        let docs = try document("docs/running.md")
        let statuses = [Self.status("a"), Self.status("b")]
        let text = MetricsText(statuses).text + MetricsText(statuses, isDetailed: true).text
        for line in text.split(separator: "\n") {
            if line.hasPrefix("#") {
                let parts = try #require(line.wholeMatch(of: /# (HELP|TYPE) (scrollback_[a-z_]+) .+/))
                #expect(docs.contains("`\(parts.2)`"))
            } else {
                #expect(
                    line.wholeMatch(of: /scrollback_[a-z_]+(\{([a-z]+="[^"]*",?)+\})? -?[0-9.]+/) != nil, "\(line)")
            }
        }
    }
}
