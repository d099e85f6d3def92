import ChatModel
import Foundation
import Logging
import NIOCore
import ServiceLifecycle
import Testing

@testable import Service

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
        ControlClient(folder: folder, timeout: .minutes(1))
    }

    private func expectStatus(_ client: ControlClient) async throws {
        let statuses = try await client.status()
        #expect(statuses == [Self.status])
    }

    @Test func `a running listener is asked, and one that is not is no error`() async throws {
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

    @Test func `a folder with a path longer than a socket's takes works too`() async throws {
        try await withTemporaryFolder { folder in
            let long = folder + "/" + String(repeating: "a", count: 200)
            try FileManager.default.createDirectory(atPath: long, withIntermediateDirectories: true)
            try await withServer(folder: long) {
                try await expectStatus(client(long))
            }
        }
    }

    @Test func `a socket that a dead process left is replaced, and only its owner may use it`() async throws {
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

    @Test func `who asks while the listener stops gets an answer or none, and it stops in good order`() async throws {
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
