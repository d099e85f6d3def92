import Foundation
import TestSupport
import Testing

/// Commands that remove messages, killed at their system calls. `make torture` kills at every one, `make test` at some.
@Suite(.timeLimit(.minutes(Torture.minutes(10, whole: 60))))
struct RetentionTortureTests {
    @Test func `rules killed at any call leave a ledger that agrees with the messages`() async throws {
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

    @Test func `the next commands complete a forgetting that was killed at any call, without a trace`() async throws {
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
    func `the test notices a disk that drops what forgetting writes`(file: String) async throws {
        let tortured = try await TorturedRetention()
        let run = try await tortured.program.with(["DROP": file]).start(arguments: TorturedRetention.forgetting)
            .result()
        let traces = try tortured.traces()
        #expect(run.status != 0 || !traces.isEmpty)
    }
}
