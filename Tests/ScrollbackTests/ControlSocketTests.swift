import ChatModel
import Foundation
import Logging
import NIOCore
import Rendering
import ServiceLifecycle
import TestSupport
import Testing

@testable import Service
@testable import Settings

struct ControlSocketTests {
    private static let status = AccountStatus(
        account: "demo", network: "streamchat", state: .connected, since: sampleTime, lastSignOfLife: sampleTime,
        lastMessage: MessageID(sampleTime), messages: 3, openGaps: 1, failures: 0, lastError: nil, nextTry: nil)

    /// Runs `body` beside a control server of `folder`.
    private func withServer(folder: String, _ body: @Sendable @escaping () async throws -> Void) async throws {
        let server = try await ControlServer(
            folder: folder, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) {
            $0 == .status ? ControlReply(accounts: [Self.status]) : ControlReply(done: false)
        }
        let group = ServiceGroup(services: [server], logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try await withThrowingTaskGroup { tasks in
            tasks.addTask { try await group.run() }
            try await body()
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    /// Patient: on a busy machine the server waits for other tests.
    private func client(_ folder: String) -> ControlClient {
        ControlClient(folder: folder, timeout: .seconds(60))
    }

    private func expectStatus(_ client: ControlClient) async throws {
        let statuses = try await client.status()
        #expect(statuses == [Self.status])
    }

    @Test func `a running listener answers, and a missing one is not an error`() async throws {
        try await withTemporaryFolder { folder in
            let client = self.client(folder)
            #expect(try await client.status() == nil)
            try await withServer(folder: folder) {
                try await expectStatus(client)
                try await expectStatus(client)
            }
            #expect(try await client.status() == nil)
            #expect(!FileManager.default.fileExists(atPath: folder + "/control.sock"))
        }
    }

    @Test(
        .enabled(if: geteuid() == 0, "needs root, for the socket of another user"),
        .enabled(if: Tool.find("python3") != nil, "needs python3"))
    func `a socket of another user is refused and gets nothing`() async throws {
        try await withTemporaryFolder { folder in
            let script = """
                import os, socket, sys
                server = socket.socket(socket.AF_UNIX)
                server.bind(sys.argv[1])
                os.seteuid(65534)
                server.listen()
                print("ready", flush=True)
                while True:
                    client, _ = server.accept()
                    try:
                        client.sendall(b'{"accounts": []}\\n')
                        print(client.recv(1000), flush=True)
                    except ConnectionError:
                        # Closed before it had read the line, or before it was sent.
                        print(b"", flush=True)
                """
            let run = try #require(Tool.find("python3")).start(["-c", script, folder + "/control.sock"])
            try await eventually("it listens", state: { run.errors }) { run.output.isEmpty ? nil : true }
            let error = try await #require(throws: ServiceError.self) { try await client(folder).status() }
            #expect(error.code == .notPermitted && error.detail.contains("listens at its control.sock"), "\(error)")
            try await eventually("it gets the end of the connection", state: { run.errors }) {
                run.output.contains("b''") ? true : nil
            }
            #expect(!run.output.contains("status"), "\(run.output)")
        }
    }

    @Test func `a folder whose path exceeds a socket's limit works`() async throws {
        try await withTemporaryFolder { folder in
            let long = folder + "/" + String(repeating: "a", count: 200)
            try FileManager.default.createDirectory(atPath: long, withIntermediateDirectories: true)
            try await withServer(folder: long) {
                try await expectStatus(client(long))
            }
        }
    }

    @Test func `a dead process's socket is replaced, for its owner only`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/control.sock"
            try Data().write(to: URL(fileURLWithPath: path))
            #expect(try await client(folder).status() == nil)
            try await withServer(folder: folder) {
                let attributes = try FileManager.default.attributesOfItem(atPath: path)
                #expect(attributes[.posixPermissions] as? Int == 0o600)
                try await expectStatus(client(folder))
            }
        }
    }

    @Test func `a request to a stopping listener gets an answer or none, and the listener stops in order`() async throws
    {
        try await withTemporaryFolder { folder in
            for _ in 0..<20 {
                try await withThrowingTaskGroup { group in
                    for _ in 0..<8 {
                        group.addTask { for _ in 0..<5 { _ = try? await client(folder).status() } }
                    }
                    try await withServer(folder: folder) { await Task.yield() }
                    try await group.waitForAll()
                }
            }
        }
    }
}
