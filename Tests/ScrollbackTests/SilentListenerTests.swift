import Foundation
import Rendering
import TestSupport
import Testing

@testable import Settings

/// Processes at the control socket that do not answer as a listener does.
@Suite(.timeLimit(.minutes(5)))
struct SilentListenerTests {
    /// A socket at which nobody takes connections unless ``answer(_:)`` is called.
    private final class Listening: Sendable {
        private let descriptor: Int32

        /// - Parameter backlog: The connections that may wait, less one.
        init(folder: String, backlog: Int32 = 8) throws {
            descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            var address = Self.address(folder)
            let bound = Self.call(&address) { bind(descriptor, $0, $1) }
            try #require(bound == 0 && listen(descriptor, backlog) == 0)
        }

        deinit { close(descriptor) }

        /// Connects until no further connection may wait.
        ///
        /// - Returns: The connections.
        func fill(folder: String) -> [Int32] {
            var connections: [Int32] = []
            var address = Self.address(folder)
            while true {
                let flags = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
                let connection = socket(AF_UNIX, flags, 0)
                connections.append(connection)
                if Self.call(&address, { connect(connection, $0, $1) }) != 0 { return connections }
            }
        }

        /// Takes one connection, and writes the parts to it.
        func answer(_ parts: [[UInt8]]) {
            DispatchQueue.global().async { [self] in
                let connection = accept(descriptor, nil, nil)
                for part in parts { _ = send(connection, part, part.count, Int32(MSG_NOSIGNAL)) }
                var byte: UInt8 = 0
                // Until the other end closes.
                while recv(connection, &byte, 1, 0) > 0 {}
                close(connection)
            }
        }

        private static func address(_ folder: String) -> sockaddr_un {
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array((folder + "/control.sock").utf8)) }
            return address
        }

        private static func call(
            _ address: inout sockaddr_un, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
        ) -> Int32 {
            withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
        }
    }

    private func expectSilence(_ client: ControlClient) async throws {
        let error = try await #require(throws: ServiceError.self) { try await client.status() }
        #expect(error.code == .listenerSilent, "\(error)")
    }

    @Test func `a listener that does not answer is an error after the timeout`() async throws {
        try await withTemporaryFolder { folder in
            let listening = try Listening(folder: folder)
            try await expectSilence(ControlClient(folder: folder, timeout: .milliseconds(50)))
            withExtendedLifetime(listening) {}
        }
    }

    @Test func `a listener that accepts no connection is an error after the timeout`() async throws {
        try await withTemporaryFolder { folder in
            let listening = try Listening(folder: folder, backlog: 0)
            let others = listening.fill(folder: folder)
            try await expectSilence(ControlClient(folder: folder, timeout: .milliseconds(50)))
            for other in others { close(other) }
        }
    }

    @Test func `a cancelled request does not wait for the answer`() async throws {
        try await withTemporaryFolder { folder in
            let listening = try Listening(folder: folder)
            let client = ControlClient(folder: folder, timeout: .seconds(3600))
            try await withThrowingTaskGroup { group in
                group.addTask { try await expectSilence(client) }
                group.cancelAll()
                try await group.waitForAll()
            }
            withExtendedLifetime(listening) {}
        }
    }

    @Test(arguments: ["{\"accounts\": []}\n", "{\"accounts\": []}\n{\"more\"}\n"])
    func `an answer can come in any parts and ends with its line`(answer: String) async throws {
        try await withTemporaryFolder { folder in
            let listening = try Listening(folder: folder)
            for parts in [[Array(answer.utf8)], answer.utf8.map { [$0] }] {
                listening.answer(parts)
                #expect(try await ControlClient(folder: folder, timeout: .seconds(60)).status() == [])
            }
        }
    }

    @Test(arguments: ["", "{\"accounts\": []}", "no JSON\n"])
    func `an incomplete answer is ignored`(answer: String) async throws {
        try await withTemporaryFolder { folder in
            let listening = try Listening(folder: folder)
            listening.answer([Array(answer.utf8)])
            try await expectSilence(ControlClient(folder: folder, timeout: .milliseconds(200)))
        }
    }

    @Test func `a line over the limit is not kept`() async throws {
        try await withTemporaryFolder { folder in
            let listening = try Listening(folder: folder)
            for (limit, line) in [(5, Array("12345".utf8)), (4, nil)] as [(Int, [UInt8]?)] {
                listening.answer([Array("12345\n".utf8)])
                let connection = try LocalConnection(path: folder + "/control.sock", timeout: .seconds(60))
                #expect(await connection.firstLine(after: Array("?\n".utf8), limit: limit) == line)
            }
        }
    }
}
