import Foundation
import SLP
import SLPWire
import Sessions
import TestSupport
import Testing

@Suite(
    .enabled(if: SLPServer.isAvailable, "needs .venv, which .ci/make-venv makes"),
    .timeLimit(.minutes(MachineSpeed.minutes(5))))
struct SLPSessionTests {
    @Test(arguments: SLPGeneration.allCases)
    func `many calls with an expired token refresh it once, one at a time`(generation: SLPGeneration) async throws {
        let service = try await SLPService.start(generation)
        try await service.call { client in
            _ = try await client.workspaces()
            for round in 1...3 {
                try await service.order("expire", #"{"access":true}"#)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<20 { group.addTask { _ = try await client.workspaces() } }
                    try await group.waitForAll()
                }
                #expect(try await service.state().refresh == round)
            }
        }
        let state = try await service.state()
        #expect(state.login == 1 && state.mostRefreshing == 1)
    }

    @Test func `a service that rejects every token is not asked endlessly`() async throws {
        let service = try await SLPService.start()
        try await service.order("fault", #"{"path":"^/v1/workspaces$","code":"E02","times":99}"#)
        try await service.call({ $0.limits.loginInterval = .seconds(100) }) { client in
            for _ in 0..<5 {
                let error = await #expect(throws: CallError.self) { try await client.workspaces() }
                #expect(error?.code == .unavailable)
            }
        }
        #expect(try await service.state().login == 1)
    }

    @Test func `an expired login is repeated`() async throws {
        let service = try await SLPService.start()
        try await service.call { client in
            _ = try await client.workspaces()
            try await service.order("expire", #"{"access":true,"refresh":true}"#)
            _ = try await client.workspaces()
        }
        let state = try await service.state()
        #expect(state.login == 2 && state.refresh == 0)
    }

    @Test func `unknown tokens are refreshed, then replaced by a login`() async throws {
        let service = try await SLPService.start()
        try await service.call { client in
            _ = try await client.workspaces()
            try await service.order("forget")
            _ = try await client.workspaces()
        }
        #expect(try await service.state().login == 2)
        #expect(
            try await service.state().calls.suffix(4).map { $0.split(separator: "?")[0] } == [
                "GET /workspaces", "GET /auth/refresh", "POST /users/login", "GET /workspaces",
            ])
    }

    @Test func `a token that is still valid is kept, and the call repeated once`() async throws {
        let service = try await SLPService.start()
        try await service.call { client in
            _ = try await client.workspaces()
            try await service.order("fault", #"{"path":"^/v1/workspaces$","code":"E05"}"#)
            _ = try await client.workspaces()
        }
        let state = try await service.state()
        #expect(state.login == 1 && state.refresh == 0)
        #expect(state.calls.suffix(3) == ["GET /workspaces", "GET /auth/refresh", "GET /workspaces"])
    }

    @Test func `a server that accepts no token is given up`() async throws {
        let service = try await SLPService.start()
        try await service.order("fault", #"{"path":"^/v1/workspaces$","code":"E05","times":99}"#)
        try await service.call { client in
            let error = await #expect(throws: CallError.self) { try await client.workspaces() }
            #expect(error?.code == .unavailable)
        }
        #expect(try await service.state().calls.count == 6)
    }

    @Test func `a wrong password stops the account at once and permanently`() async throws {
        let service = try await SLPService.start()
        try await service.call({ $0.credentials.password = "wrong" }) { client in
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<5 {
                    group.addTask {
                        let error = await #expect(throws: CallError.self) { try await client.workspaces() }
                        #expect(error?.code == .accountStopped)
                        #expect(error?.detail == "the server answered E03 (unknown account or wrong password)")
                    }
                }
            }
            await #expect(throws: CallError.self) { try await client.workspaces() }
        }
        #expect(try await service.state().calls == ["POST /users/login"])
    }

    @Test func `a wrong app key stops the account, whenever it is reported`() async throws {
        let service = try await SLPService.start()
        try await service.call { client in
            _ = try await client.workspaces()
            try await service.order("fault", #"{"path":"^/v1/workspaces$","code":"E01"}"#)
            for _ in 0..<3 {
                let error = await #expect(throws: CallError.self) { try await client.workspaces() }
                #expect(error?.code == .accountStopped)
            }
        }
        #expect(try await service.state().calls.count == 3)
    }

    @Test func `tokens are kept for the next start in a file that only its owner can read`() async throws {
        let service = try await SLPService.start()
        let folder = try TemporaryFolder()
        let path = folder.path + "/tokens.json"
        // One that a kill left.
        try "half".write(toFile: path + ".new", atomically: false, encoding: .utf8)
        _ = try await service.call({ $0.tokenPath = path }) { try await $0.workspaces() }
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["tokens.json"])
        try await service.order("expire", #"{"access":true}"#)
        try await service.call({
            $0.tokenPath = path
            $0.credentials.password = nil
        }) { client in
            _ = try await client.workspaces()
            try await service.order("expire", #"{"access":true,"refresh":true}"#)
            for _ in 0..<2 {
                let error = await #expect(throws: CallError.self) { try await client.workspaces() }
                #expect(error?.code == .needsLogin)
            }
        }
        let state = try await service.state()
        #expect(state.login == 1 && state.refresh == 1)
    }

    @Test(arguments: ["", "{", "null", #"{"origin":"http://127.0.0.1:1","email":"alice@example.net","tokens":{}}"#])
    func `an unreadable token file is replaced after a login`(content: String) async throws {
        let service = try await SLPService.start()
        let folder = try TemporaryFolder()
        let path = folder.path + "/tokens.json"
        try content.write(toFile: path, atomically: false, encoding: .utf8)
        _ = try await service.call({ $0.tokenPath = path }) { try await $0.workspaces() }
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("access-"))
    }

    @Test func `tokens of another server or account are not sent`() async throws {
        let (first, second) = (try await SLPService.start(), try await SLPService.start())
        let folder = try TemporaryFolder()
        let path = folder.path + "/tokens.json"
        _ = try await first.call({ $0.tokenPath = path }) { try await $0.workspaces() }
        _ = try await second.call({ $0.tokenPath = path }) { try await $0.workspaces() }
        #expect(try await second.state().calls.first == "POST /users/login")
        await #expect(throws: CallError.self) {
            try await second.call({
                $0.tokenPath = path
                $0.credentials.email = "carol@example.net"
            }) { try await $0.workspaces() }
        }
        #expect(try await second.state().calls.last == "POST /users/login")
    }

    @Test func `tokens that can't be saved are used nevertheless`() async throws {
        let service = try await SLPService.start()
        try await service.call({ $0.tokenPath = "/nowhere/tokens.json" }) { client in
            let workspaces = try await client.workspaces()
            #expect(workspaces.isEmpty)
        }
    }
}
