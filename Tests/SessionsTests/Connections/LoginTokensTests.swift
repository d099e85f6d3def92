import Logging
import TestSupport
import Testing

@testable import Sessions

@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct LoginTokensTests {
    private let logins = Watched(0)

    private func login() -> LoginTokens<String, Void> {
        LoginTokens(nil, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, access: { $0 })
    }

    /// A login that gives `token1`, `token2` and so on.
    private func next() -> String {
        logins.change { $0 += 1 }
        return "token\(logins.value)"
    }

    private func isCancelled(_ login: LoginTokens<String, Void>) async -> Bool {
        do {
            _ = try await login.get(by: ())
            return false
        } catch {
            return error is CancellationError
        }
    }

    @Test func `callers that wait together get the tokens of one login`() async throws {
        let login = login()
        try await login.whileRunning({ _, _ in self.next() }) {
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<20 { group.addTask { try await login.get(by: ()) } }
                for try await token in group { #expect(token == "token1") }
                for _ in 0..<20 { group.addTask { try await login.get(after: "token1", by: ()) } }
                for try await token in group { #expect(token == "token2") }
            }
        }
        #expect(logins.value == 2)
    }

    @Test func `a refused login is not repeated`() async throws {
        let login = login()
        let refused = CallError(code: .needsLogin, detail: "wrong password")
        try await login.whileRunning({ _, _ in
            _ = self.next()
            throw refused
        }) {
            for _ in 0..<3 { await #expect(throws: refused) { try await login.get(by: ()) } }
        }
        #expect(logins.value == 1)
    }

    @Test func `a cancelled caller returns, and the login continues for the others`() async throws {
        let (login, hasBegun, mayEnd) = (login(), Signal(), Signal())
        try await login.whileRunning({ _, _ in
            hasBegun.set()
            await mayEnd.wait()
            return self.next()
        }) {
            await withTaskGroup(of: Bool.self) { group in
                group.addTask { await self.isCancelled(login) }
                await hasBegun.wait()
                group.cancelAll()
                #expect(await group.next() == true)
            }
            mayEnd.set()
            let token = try await login.get(by: ())
            #expect(token == "token1")
        }
    }

    @Test func `closing ends a login, and allows no other`() async throws {
        let (login, hasBegun) = (login(), Signal())
        try await login.whileRunning({ _, _ in
            hasBegun.set()
            await Signal().wait()
            try Task.checkCancellation()
            return self.next()
        }) {
            async let isCancelled = isCancelled(login)
            await hasBegun.wait()
            login.close()
            #expect(await isCancelled)
            #expect(await self.isCancelled(login))
        }
        #expect(logins.value == 0)
    }
}
