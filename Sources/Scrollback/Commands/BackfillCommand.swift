import Archive
import ChatModel
import FoundationEssentials
import Operations
import Options
import Reading
import Rendering
import Settings

struct BackfillCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "backfill",
        abstract: "Ask the networks again for missing history.",
        discussion: """
            EXAMPLE: scrollback backfill libera/#example --after 2026-11-01

            Asks the running listener to fetch; its login and its rate limit apply. A listener fetches what it missed whenever it \
            connects. This command asks again for history that the network refused or did not have. "scrollback gaps" lists what is \
            missing, and why.
            """)

    @Argument(.room)
    var room: String?

    @OptionGroup var accounts: AccountsOption

    @Option(
        "after", aliases: ["since"], help: "Ask for all history since this time, also from before the archive began.",
        valueName: "time")
    var after: String?

    @Flag("no-wait", help: "Return at once; do not wait until the history is fetched.")
    var noWait = false

    @Flag("utc", help: "Read times in UTC (default: the local zone, TZ).")
    var utc = false

    @OptionGroup var answer: AnswerOptions
    @OptionGroup(title: "Where") var folder: FolderOptions

    /// The time between two requests for the progress.
    private static let interval = Duration.milliseconds(500)

    func validate() throws {
        _ = try since()
    }

    func run() async throws {
        let archive = Archive(folder: try folder.resolve())
        let selection = RoomSelection(room: room, accounts: accounts.account, all: false)
        guard let selected = try selection.resolve(in: archive.reading()) else {
            StandardStream.note(EmptyResult.noAccounts(folder: archive.folder))
            return try answer.write([], as: AccountResult.listing)
        }
        let client = ControlClient(folder: archive.folder)
        let results =
            switch selected.scope {
            case .rooms(let rooms): try await request(client, rooms)
            case .accounts(let accounts): try await request(client, accounts)
            }
        try answer.write(results, as: AccountResult.listing)
        let requested = results.filter { $0.state == .done }.map(\.account)
        if !noWait, !requested.isEmpty {
            await follow(client, Set(requested))
            let after = try since()
            let gaps = try archive.reading().gaps(scope: selected.scope).filter { isRequested($0, after: after) }
            let left = GapText.count(gaps, in: "the requested history")
            answer.note(left.isEmpty ? "no gaps are left\n" : left)
        }
    }

    /// Returns true if the request was for messages of the gap's time. Only `--after` requests what is before a room's
    /// archive.
    private func isRequested(_ gap: Gap, after: Timestamp?) -> Bool {
        switch gap.kind {
        case .imported: false
        case .seam: if let after, let end = gap.to { after < end } else { false }
        case .gap, .ended, .purged, .encrypted: true
        }
    }

    /// Requests history of each account from the listener. Reports refusals if there are several accounts, and fails if
    /// every account was refused.
    ///
    /// - Returns: A result for each account; `done` if there are rooms to fetch.
    private func request(_ client: ControlClient, _ accounts: [String]) async throws -> [AccountResult] {
        var (results, refused): ([AccountResult], (any Error)?) = ([], nil)
        for account in accounts {
            do {
                let rooms = try await request(client, account, room: nil)
                results.append(Self.result(account, rooms, detail: "requested the history of \(rooms.of("room"))"))
                note("\(account): \(results[results.count - 1].detail)")
            } catch let error as ServiceError where error.code == .listenerRefused && accounts.count > 1 {
                StandardStream.note("\(Sanitizer.line("\(error)"))\n")
                refused = error
                if let result = AccountResult(account, failedWith: error) { results.append(result) }
            }
        }
        if !results.contains(where: { $0.state == .done }), let refused { throw refused }
        return results
    }

    /// Requests history of each room from the listener, with a result for each room; `done` if it is fetched.
    private func request(_ client: ControlClient, _ rooms: [RoomKey]) async throws -> [AccountResult] {
        var results: [AccountResult] = []
        for room in rooms {
            let count = try await request(client, room.account, room: room.id)
            let isWaiting = "the room is not joined; the listener requests its history after it joins"
            results.append(
                Self.result(
                    room.account, count, detail: count > 0 ? "requested the history of \(count.of("room"))" : isWaiting)
            )
            if count == 0 { note("\(room.account): \(isWaiting)") }
        }
        return results
    }

    private static func result(_ account: String, _ rooms: Int, detail: String) -> AccountResult {
        var result = AccountResult(account, rooms > 0 ? .done : .unchanged, detail: detail)
        result.figures.rooms = Int64(rooms)
        return result
    }

    private func request(_ client: ControlClient, _ account: String, room: Int64?) async throws -> Int {
        guard let rooms = try await client.backfill(account: account, room: room, after: try since()) else {
            throw CommandError(
                .noListener, "no listener runs for account \"\(Sanitizer.line(account))\"",
                hint: "\"scrollback listen\" starts one, which requests missing history automatically")
        }
        return rooms
    }

    private func follow(_ client: ControlClient, _ accounts: Set<String>) async {
        let line = TerminalLine()
        while true {
            let statuses = (try? await client.status()) ?? []
            let running = statuses.filter { accounts.contains($0.account) }.compactMap(\.backfill)
            if running.isEmpty { break }
            line.show(Self.sentence(running))
            guard (try? await Task.sleep(for: Self.interval)) != nil else { break }
        }
        line.clear()
    }

    /// Returns a text such as `3 rooms to go; #example: 1,200 messages, at 2026-11-21`.
    private static func sentence(_ running: [BackfillProgress]) -> String {
        let rooms = running.reduce(0) { $0 + $1.rooms }
        let count = rooms.of("room")
        guard let at = running.first(where: { $0.room != nil }), let room = at.room else { return "\(count) to go" }
        let reached = at.reached.map { ", at \($0.description.prefix(10))" } ?? ""
        return "\(count) to go; \(Sanitizer.line(room)): \(at.messages.of(.message))\(reached)"
    }

    private func note(_ sentence: String?) {
        if let sentence { answer.note(Sanitizer.line(sentence) + "\n") }
    }

    private func since() throws -> Timestamp? {
        try asUsage {
            try after.map { try TimePhrase(parameter: $0, zone: utc ? .gmt : .local, now: .now()).start.time }
        }
    }
}
