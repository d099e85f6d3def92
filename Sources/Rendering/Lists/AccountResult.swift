package import ChatModel

/// The result of a command that maintains accounts, for one account.
package struct AccountResult: Sendable, Hashable {
    package enum State: String, Sendable, Hashable, CaseIterable {
        case done
        /// There was nothing to do.
        case unchanged
        /// The command would do it, but was only asked to list it.
        case planned
        /// A part could not be done.
        case incomplete
        case failed
    }

    /// The figures of the account; nil where the command has none.
    package struct Figures: Sendable, Hashable {
        package var messages: Int64?
        /// The number of joins, leaves, renames and modes.
        package var events: Int64?
        package var rooms: Int64?
        /// The size of the uncompressed file, or of a backup's copy.
        package var bytes: Int64?
        /// The size of the compressed file.
        package var coldBytes: Int64?
        /// The number of files that came with messages.
        package var files: Int64?
        package var fileBytes: Int64?
        /// The number of files that the copy lacked, or of messages that the search index lacked.
        package var added: Int64?
        package var reactions: Int64?
        /// The number of records of the network's bytes.
        package var raw: Int64?
        /// The number of messages and events that holds keep.
        package var held: Int64?

        package init() {}

        /// The messages, and the joins, leaves, renames and modes, in words: `12 messages`, `12 messages, 3 events`.
        package var counted: String {
            let events = events.map(Int.init) ?? 0
            return Int(messages ?? 0).of(.message) + (events > 0 ? ", \(events.of(.event))" : "")
        }
    }

    package var account: String
    package var state: State
    /// The path of the folder of the account or of its copy; nil if unknown.
    package var folder: String?
    package var figures = Figures()
    /// The code of the error, which `docs/errors` explains; nil if there is none.
    package var error: String?
    /// The result for people.
    package var detail: String

    package init(_ account: String, _ state: State, folder: String? = nil, detail: String) {
        (self.account, self.state, self.folder, self.detail) = (account, state, folder, detail)
    }

    /// Creates the result of a failure; nil for an error that has no text for people.
    package init?(_ account: String, failedWith error: any Error) {
        guard let (text, code) = FailureText.parts(of: error) else { return nil }
        self.init(account, .failed, detail: text)
        self.error = code
    }

    package init(_ summary: AccountSummary, _ state: State, detail: String) {
        self.init(summary.account, state, folder: summary.folder, detail: detail)
        (figures.messages, figures.rooms) = (summary.messages, summary.rooms)
        (figures.bytes, figures.coldBytes) = (summary.bytes, summary.coldBytes)
    }
}

extension AccountResult {
    /// The keys for machines; people read ``AccountResult/detail``.
    package static let listing = Listing<AccountResult>(
        name: "accounts", columns: [],
        keys: [
            "account", "state", "folder", "messages", "rooms", "bytes", "cold_bytes", "files", "file_bytes", "added",
            "events", "reactions", "raw", "held", "error", "detail",
        ],
        json: { JSONValue($0) }, totals: { AccountResult.totals($0) })
}

extension AccountResult: JSONRepresentable {
    package var jsonValue: JSONValue {
        let counted = Self.figureKeys.map { key, figure in
            JSONValue.Member(key: key, value: JSONValue(figures[keyPath: figure]))
        }
        return .object(
            JSONValue.object([
                "account": .string(account),
                "state": .string(state.rawValue),
                "folder": JSONValue(folder),
            ]).members + counted
                + JSONValue.object(["error": JSONValue(error), "detail": .string(detail)]).members)
    }

    private static let figureKeys: [(key: String, figure: any KeyPath<Figures, Int64?> & Sendable)] = [
        ("messages", \.messages), ("rooms", \.rooms), ("bytes", \.bytes), ("cold_bytes", \.coldBytes),
        ("files", \.files), ("file_bytes", \.fileBytes), ("added", \.added),
        ("events", \.events), ("reactions", \.reactions), ("raw", \.raw), ("held", \.held),
    ]

    /// Returns the number of accounts and of failures, and the sum of each figure; null for a figure that no account
    /// has.
    package static func totals(_ results: [AccountResult]) -> JSONValue {
        let failed = results.count { $0.state == .failed || $0.state == .incomplete }
        return .object(
            JSONValue.object(["accounts": .number(Int64(results.count)), "failed": .number(Int64(failed))]).members
                + figureKeys.map { key, figure in
                    let known = results.compactMap { $0.figures[keyPath: figure] }
                    return JSONValue.Member(
                        key: key, value: known.isEmpty ? .null : .number(known.reduce(0) { $0.adding($1) }))
                })
    }
}
