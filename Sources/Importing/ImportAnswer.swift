import ChatModel
package import Rendering

/// Writes the outcomes of an import in a machine format, file by file, so that memory does not grow with the files.
package final class ImportAnswer {
    /// The account's name; nil before there is one.
    package var account: String?

    private let format: OutputFormat
    private let write: (String) throws -> Void
    private var counts: [ImportOutcome.State: Int] = [:]
    private var isBegun = false
    /// The first error of writing. It is thrown at the end, because an import continues when its reader has left.
    private var failure: (any Error)?

    /// Creates a writer; nil for text, which has no outcome by file.
    package init?(_ format: OutputFormat, write: @escaping (String) throws -> Void) {
        guard format != .text else { return nil }
        (self.format, self.write) = (format, write)
    }

    func add(_ outcome: ImportOutcome) {
        counts[outcome.state, default: 0] += 1
        let value = outcome.json(account: account)
        begin()
        switch format {
        case .csv: put(CSV.record(value))
        case .json: put((total > 1 ? ", " : "") + value.text)
        case .text, .jsonl: put(value.text + "\n")
        }
    }

    /// Writes the end: in `json`, the totals.
    ///
    /// - Parameter isComplete: False if the import was stopped.
    /// - Throws: The first error of writing.
    package func end(_ done: ImportRun.Done, isRehearsal: Bool, isComplete: Bool) throws {
        begin()
        if format == .json {
            let totals: [JSONValue.Member] = [
                .init(key: "account", value: JSONValue(account)),
                .init(key: "files", value: .number(Int64(total))),
                .init(key: "imported", value: .number(Int64(counts[.imported] ?? 0))),
                .init(key: "skipped", value: .number(Int64(counts[.skipped] ?? 0))),
                .init(key: "failed", value: .number(Int64(counts[.failed] ?? 0))),
                .init(key: "lines", value: .number(Int64(done.lines))),
            ]
            let rest: [JSONValue.Member] = [
                .init(key: "dry_run", value: .bool(isRehearsal)), .init(key: "complete", value: .bool(isComplete)),
            ]
            let tally = done.tally.json(notUTF8: done.undecoded.messages)
            put("], \"totals\": \(JSONValue.object(totals + tally + rest).text)}\n")
        }
        if let failure { throw failure }
    }

    private var total: Int { counts.values.reduce(0, +) }

    private func begin() {
        guard !isBegun else { return }
        isBegun = true
        switch format {
        case .csv: put(CSV.record(ImportOutcome.keys))
        case .json: put("{\"files\": [")
        case .text, .jsonl: break
        }
    }

    private func put(_ text: String) {
        guard failure == nil else { return }
        do {
            try write(text)
        } catch {
            failure = error
        }
    }
}
