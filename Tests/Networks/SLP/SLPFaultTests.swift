import ChatModel
import Logging
import SLP
import SLPWire
import Sessions
import Synchronization
import TestSupport
import Testing

@Suite(
    .enabled(if: SLPServer.isAvailable, "needs .venv, which .ci/make-venv makes"),
    .timeLimit(.minutes(MachineSpeed.minutes(5))))
struct SLPFaultTests {
    @Test(arguments: [
        #""code":"E99""#, #""status":500"#, #""status":503,"body":"<html>""#, #""code":"E98""#, #""status":429"#,
    ])
    func `a call is retried if the server failed or throttled it`(fault: String) async throws {
        let service = try await SLPService.start()
        try await service.order("fault", #"{"path":"^/v1/workspaces$",\#(fault),"times":4}"#)
        try await service.call { client in
            let workspaces = try await client.workspaces()
            #expect(workspaces.isEmpty)
        }
        #expect(try await service.state().calls.count == 6)
    }

    @Test(arguments: [(#""code":"E99""#, CallError.Code.unavailable), (#""code":"E98""#, .tooManyCalls)])
    func `retries of a failed call are limited`(fault: String, code: CallError.Code) async throws {
        let service = try await SLPService.start()
        try await service.order("fault", #"{"path":"^/v1/workspaces$",\#(fault),"times":99}"#)
        try await service.call { client in
            let error = await #expect(throws: CallError.self) { try await client.workspaces() }
            #expect(error?.code == code)
        }
        #expect(try await service.state().calls.count == 6)
    }

    @Test(arguments: [
        ("E11", CallError.Code.refused), ("E12", .refused), ("E15", .refused), ("E97", .refused), ("E13", .gone),
        ("E14", .noPermission), ("E77", .refused),
    ])
    func `a refused call is not retried, and others continue`(code: String, expected: CallError.Code)
        async throws
    {
        let service = try await SLPService.start()
        try await service.order("fault", #"{"path":"^/v1/workspaces$","code":"\#(code)"}"#)
        try await service.call { client in
            let error = await #expect(throws: CallError.self) { try await client.workspaces() }
            #expect(error?.code == expected && error?.detail.contains(code) == true)
            let workspaces = try await client.workspaces()
            #expect(workspaces.isEmpty)
        }
    }

    @Test func `throttling slows down the whole account, and good answers speed it up again`() async throws {
        let service = try await SLPService.start()
        try await service.call({
            $0.limits.pace.slowed = .milliseconds(4)
            $0.limits.pace.longest = .milliseconds(8)
            $0.limits.pace.recovery = 3
        }) { client in
            _ = try await client.workspaces()
            #expect(client.interval == .zero)
            try await service.order("fault", #"{"path":"^/v1/workspaces$","code":"E98","times":2}"#)
            _ = try await client.workspaces()
            #expect(client.interval == .milliseconds(8))
            for _ in 0..<5 { _ = try await client.workspaces() }
            #expect(client.interval == .zero)
        }
    }

    @Test func `a server that is slow or absent is reported`() async throws {
        let service = try await SLPService.start()
        try await service.order("fault", #"{"path":"^/v1/workspaces$","hang":true,"times":9}"#)
        try await service.call({
            // Logging in has to be answered within that, too.
            $0.limits.answer = .seconds(1)
            $0.limits.tries = 2
        }) { client in
            let error = await #expect(throws: CallError.self) { try await client.workspaces() }
            #expect(error?.code == .unavailable)
            #expect(error?.detail == "http://127.0.0.1:\(service.port) does not answer in time")
        }
        let nobody = try RawServer().port
        try await service.call({ configuration in
            HTTPOrigin("http://127.0.0.1:\(nobody)").map { configuration.server = $0 }
            configuration.limits.tries = 2
        }) { client in
            let error = await #expect(throws: CallError.self) { try await client.workspaces() }
            #expect(error?.code == .unavailable && error?.detail.contains("refused the connection") == true)
        }
    }

    @Test func `a server with an untrusted certificate gets no password`() async throws {
        let folder = try TemporaryFolder()
        let server = try await SLPServer.start(["--tls", folder.path])
        let credentials = SLPCredentials(appKey: "key", email: "alice@example.net", password: "secret")
        let origin = try #require(HTTPOrigin("https://localhost:\(server.port)"))
        let configuration = SLPConfiguration(server: origin, credentials: credentials)
        let error = await #expect(throws: CallError.self) {
            try await SLPClient.with(configuration, logger: Logger(label: "test")) { try await $0.workspaces() }
        }
        #expect(error?.code == .untrusted && error?.detail.contains("secure connection") == true)
    }

    @Test func `redirects to another address are not followed`() async throws {
        let (service, other) = (try await SLPService.start(), try await SLPService.start())
        let location = "http://127.0.0.1:\(other.port)/v1/workspaces"
        try await service.order("fault", #"{"path":"^/v1/workspaces$","location":"\#(location)"}"#)
        try await service.call { client in
            let error = await #expect(throws: CallError.self) { try await client.workspaces() }
            #expect(error?.code == .refused)
            #expect(
                error?.detail
                    == "the server answered status 302: it redirects; configure the address that it redirects to")
        }
        #expect(try await other.state().calls == [])
    }

    @Test func `logs, errors and configurations show no secret`() async throws {
        let service = try await SLPService.start()
        let logged = Mutex("")
        var logger = Logger(label: "test") { _ in Recorder(write: { line in logged.withLock { $0 += line } }) }
        logger.logLevel = .trace
        var said = "\(try service.configuration)" + String(reflecting: try service.configuration)
        dump(try service.configuration, to: &said)
        try await service.call({ $0.tokenPath = "/nowhere/tokens.json" }, logger: logger) { client in
            _ = try await client.workspaces()
            for fault in [#""code":"E05""#, #""code":"E98""#, #""code":"E99""#, #""code":"E11""#, #""code":"E02""#] {
                try await service.order("fault", #"{"path":"^/v1/workspaces$",\#(fault)}"#)
                do { _ = try await client.workspaces() } catch { said += "\(error)" + String(reflecting: error) }
            }
            try await service.order("expire", #"{"access":true}"#)
            _ = try await client.workspaces()
            let token = #"{\"accessToken\":\"access-12345\""#
            try await service.order("expire", #"{"access":true,"refresh":true}"#)
            try await service.order("fault", #"{"path":"/users/login","status":200,"body":"\#(token)"}"#)
            do { _ = try await client.workspaces() } catch { said += "\(error)" + String(reflecting: error) }
        }
        said += logged.withLock(\.self)
        #expect(said.contains("logged in") && said.contains("too many calls") && said.contains("E11"))
        for secret in ["access-", "refresh-", "secret"] { #expect(!said.contains(secret)) }
        #expect(!said.contains("\"key\""))
    }
}

private struct Recorder: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace
    let write: @Sendable (String) -> Void

    init(write: @escaping @Sendable (String) -> Void) {
        self.write = write
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        write("\(event.message) \(event.metadata ?? [:])\n")
    }
}
