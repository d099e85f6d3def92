package import ChatModel
import Networks

/// The troubles of a listener and its accounts, one line each, as Nagios and cron expect.
package struct StatusCheck: Sendable {
    /// The space of the disk that has the data folder, in bytes.
    package struct Disk: Sendable {
        package var free: Int64
        package var total: Int64

        package init(free: Int64, total: Int64) {
            (self.free, self.total) = (free, total)
        }

        /// True if less than 1 GB and less than 5 % of the disk are free. Both must hold: a small disk may have 1 GB in
        /// all, and 5 % of a large disk is enough.
        fileprivate var isNearlyFull: Bool { free < 1_000_000_000 && free < total / 20 }
    }

    /// The accounts that the listener reports; nil if no listener runs.
    package var reported: [AccountStatus]?
    /// The names in the configuration, or, without a configuration, of the accounts that were not imported.
    package var expected: Set<String>
    /// The accounts whose files can't be read, without those that the listener reports.
    package var unreadable: [SkippedAccount]
    /// The disk of the data folder; nil if the system can't report its space.
    package var disk: Disk?
    package var now: Timestamp
    package var time: LocalTime

    package init(
        reported: [AccountStatus]?, expected: Set<String>, unreadable: [SkippedAccount], disk: Disk?, now: Timestamp,
        time: LocalTime
    ) {
        (self.reported, self.expected, self.unreadable) = (reported, expected, unreadable)
        (self.disk, self.now, self.time) = (disk, now, time)
    }

    /// The time that a connection attempt may take.
    private static let connecting = Duration.seconds(120)
    /// The longest silence of a connected server. Servers that prove life do so every two minutes.
    private static let silence = Duration.seconds(300)
    /// The longest time from receiving to storing.
    private static let storing = Duration.seconds(60)
    /// The time for which the shared archive may be unreachable.
    private static let copying = Duration.seconds(300)
    /// The time that an account may take to fetch its missing history.
    private static let fetching = Duration.seconds(3600)

    /// A line for each trouble; empty if all is well.
    package var troubles: [String] {
        let accounts = (reported ?? []).flatMap(troubles)
        let all = listener + [disk.flatMap(trouble)].compactMap(\.self) + accounts
        return (all + unreadable.map(line)).map { "CRITICAL: \($0)\n" }
    }

    /// The line when there is no trouble.
    package var fine: String {
        let reported = reported ?? []
        let connected = reported.count { $0.state == .connected }
        let others = reported.count - connected
        return "OK: \(connected.of("account")) connected\(others == 0 ? "" : ", \(others) connecting")\n"
    }

    private var listener: [String] {
        guard let reported else {
            let accounts =
                expected.isEmpty ? "and no account is configured" : "for \(expected.count.of("configured account"))"
            return ["no listener runs \(accounts)"]
        }
        let missing = expected.subtracting(reported.map(\.account)).sorted()
        return missing.map {
            "\(Sanitizer.line($0)): the listener does not have this account; reload its configuration"
        }
    }

    private func trouble(_ disk: Disk) -> String? {
        disk.isNearlyFull ? "the disk of the data folder is nearly full: \(ByteCount(disk.free)) free" : nil
    }

    /// Returns the account's name and the reason. Without a name, the reason names the folder.
    private func line(_ skipped: SkippedAccount) -> String {
        (skipped.account.map { "\(Sanitizer.line($0)): " } ?? "") + Sanitizer.line(skipped.detail)
    }

    private func troubles(_ status: AccountStatus) -> [String] {
        [connection(status), store(status), backlog(status), copy(status), rule(status)].compactMap(\.self)
            .map { "\(Sanitizer.line(status.account)): \(Sanitizer.line($0))" }
    }

    private func connection(_ status: AccountStatus) -> String? {
        let reason = status.lastError.map { " (\($0))" } ?? ""
        let since = status.since.map { " since \(time.dayAndSecond($0))" } ?? ""
        switch status.state {
        case .connected:
            guard let heard = status.lastSignOfLife, isSilent(status, since: heard) else { return nil }
            return "nothing received since \(time.dayAndSecond(heard))"
        case .connecting:
            guard NetworkTraits.of(status.network).provesLife || status.lastError != nil, let start = status.since,
                now.since(start) > Self.connecting
            else { return nil }
            return "not connected\(since)\(reason)"
        case .waiting, .offline: return "not connected\(since)\(reason)"
        case .needsLogin: return "login refused\(since)\(reason)"
        case .imported: return nil
        case .failed: return "failed\(since)\(reason)"
        }
    }

    private func isSilent(_ status: AccountStatus, since heard: Timestamp) -> Bool {
        NetworkTraits.of(status.network).provesLife && now.since(max(heard, status.since ?? heard)) > Self.silence
    }

    private func store(_ status: AccountStatus) -> String? {
        if status.gapSeconds == nil { return status.lastError ?? "the archive can't be read" }
        guard let received = status.lastByte, let counted = status.countedSince, received > counted else { return nil }
        // Bytes without events, such as pings, need no storing; only trouble with the store explains a wait.
        let stored = max(status.lastCommit ?? counted, counted)
        guard status.lastError != nil, received.since(stored) > Self.storing, status.state == .connected else {
            return nil
        }
        return "not stored since \(time.dayAndSecond(stored)) (\(status.lastError ?? ""))"
    }

    private func copy(_ status: AccountStatus) -> String? {
        guard let lag = status.shared, let error = lag.error else { return nil }
        // Without a complete copy, the listener has tried since its start.
        guard let since = lag.caughtUpAt ?? status.countedSince, now.since(since) > Self.copying else { return nil }
        return "not copied to the shared archive since \(time.dayAndSecond(since)) (\(error))"
    }

    private func rule(_ status: AccountStatus) -> String? {
        guard let rules = status.retention?.waiting, !rules.isEmpty else { return nil }
        return "a retention rule waits (\(rules.joined(separator: ", "))): scrollback retention plan"
    }

    private func backlog(_ status: AccountStatus) -> String? {
        guard status.state == .connected, let since = status.since, let progress = status.backfill, progress.rooms > 0,
            now.since(since) > Self.fetching
        else { return nil }
        return "behind: still fetching the history of \(progress.rooms.of("room")) since \(time.dayAndSecond(since))"
    }
}
