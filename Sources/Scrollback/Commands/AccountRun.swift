import ChatModel
import Options
import Rendering
import Synchronization

/// Work on accounts, one after the other. An account that fails does not stop the others.
///
/// In `text`, each result is a line on stderr. The machine formats have all results on stdout, written by
/// ``finish(skipped:)``; errors are on stderr as well.
final class AccountRun: Sendable {
    private struct State {
        var results: [AccountResult] = []
        var hasFailed = false
    }

    let progress: MoveProgress
    private let format: OutputFormat
    private let state = Mutex(State())

    /// - Parameter verb: The word before an account's name in the progress: `copying`.
    init(verb: String, format: OutputFormat) {
        (progress, self.format) = (MoveProgress(verb: verb), format)
    }

    /// Reports accounts that the run skips, and marks the run as failed if one of them can't be read.
    var reportSkipped: @Sendable ([SkippedAccount]) -> Void {
        { [self] accounts in
            if accounts.contains(where: { !$0.isResting }) { fail() }
            for line in SkippedAccountsText.lines(accounts, takesCold: false) {
                StandardStream.note("scrollback: \(line)\n")
            }
        }
    }

    /// Works on one account, and reports its result or its error.
    func perform(_ account: String, _ work: (MoveProgress) async throws -> AccountResult) async throws {
        do {
            add(try await work(progress))
        } catch {
            guard let failure = AccountResult(account, failedWith: error) else { throw error }
            add(failure)
        }
    }

    func add(_ result: AccountResult) {
        progress.clear()
        state.withLock { state in
            state.results.append(result)
            if result.error != nil { state.hasFailed = true }
        }
        if let code = result.error {
            StandardStream.note("scrollback: \(Sanitizer.line(result.detail)) [\(code)]\n")
        } else if format == .text {
            StandardStream.note("\(Sanitizer.line(result.account)): \(Sanitizer.line(result.detail))\n")
        }
    }

    /// Marks the run as failed; the caller reports the reason.
    func fail() {
        state.withLock { $0.hasFailed = true }
    }

    /// Writes the results in a machine format.
    ///
    /// - Throws: ``ExitCode`` if anything failed.
    func finish(skipped: [SkippedAccount]) throws {
        let (results, hasFailed) = state.withLock { ($0.results, $0.hasFailed) }
        if format != .text {
            let listing = AccountResult.listing
            try StandardStream.output.write(listing.render(results, leftOut: skipped, format: format))
        }
        if hasFailed { throw ExitCode.failure }
    }
}
