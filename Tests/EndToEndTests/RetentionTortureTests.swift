import Foundation
import TestSupport
import Testing

/// Commands that remove messages, killed at their system calls. `make torture` kills at every one, `make test` at some.
@Suite(.timeLimit(.minutes(Torture.minutes(10, whole: 60))))
struct RetentionTortureTests {
    @Test func `rules that are killed at any call leave a ledger that agrees with what is left`() async throws {
        let tortured = try await TorturedRetention()
        let calls = try await tortured.program.countCalls(TorturedRetention.applying) { try tortured.reset() }
        for number in Torture.spread(1...calls, count: 6) {
            try tortured.reset()
            let run = try await tortured.program.with(["AT": "\(number)"]).start(arguments: TorturedRetention.applying)
                .result()
            // The number of transactions depends on how fast the disk is.
            #expect(run.isKilled || number > calls * 3 / 4)
            let complaints = try await tortured.complaintsAboutApplying()
            #expect(complaints.isEmpty, "call \(number) of \(calls)")
        }
    }

    @Test func `forgetting that is killed at any call is ended by the next commands, and leaves no trace`() async throws
    {
        let tortured = try await TorturedRetention()
        #expect(try !tortured.traces().isEmpty)
        let calls = try await tortured.program.countCalls(TorturedRetention.forgetting) { try tortured.reset() }
        for number in Torture.spread(1...calls, count: 8) {
            try tortured.reset()
            let run = try await tortured.program.with(["AT": "\(number)"]).start(
                arguments: TorturedRetention.forgetting
            ).result()
            #expect(run.isKilled || number > calls * 3 / 4)
            let complaints = try await tortured.complaintsAboutForgetting()
            #expect(complaints.isEmpty, "call \(number) of \(calls)")
        }
    }

    @Test(arguments: ["/1.sqlite", "/1.sqlite-wal"])
    func `a disk that drops what forgetting writes is noticed`(file: String) async throws {
        let tortured = try await TorturedRetention()
        let run = try await tortured.program.with(["DROP": file]).start(arguments: TorturedRetention.forgetting)
            .result()
        let traces = try tortured.traces()
        #expect(run.status != 0 || !traces.isEmpty)
    }
}
