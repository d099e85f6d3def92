package import ChatModel
import Rendering
import Settings

/// The listener's figures in Prometheus's text format, version 0.0.4.
package struct MetricsText {
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    package private(set) var text = ""

    /// - Parameters:
    ///   - replication: How far each account's copy in the shared archive is behind; nil without one.
    ///   - isDetailed: Adds what an account's own page needs: the states that it is not in, its messages by kind, its
    ///     commit times, and its write-ahead log. It is about four times as long.
    package init(
        _ statuses: [AccountStatus], replication: [String: ReplicationLag]? = nil, isDetailed: Bool = false
    ) {
        family("scrollback_build_info", .gauge, "The version of the running program; the value is 1.", [[]]) { _ in
            [Sample(labels: [("version", ProgramVersion.current)], value: "1")]
        }
        let accounts = statuses.map { (labels: [("account", $0.account)], status: $0) }
        family("scrollback_account_info", .gauge, "The network of each account; the value is 1.", accounts) {
            labels, status in [Sample(labels: labels + [("network", status.network)], value: "1")]
        }
        for (name, kind, help, value) in Self.figures + (isDetailed ? [Self.walBytes] : []) {
            family(name, kind, help, accounts) { labels, status in
                value(status).map { [Sample(labels: labels, value: $0)] } ?? []
            }
        }
        let states = "1 for the state that the account is in" + (isDetailed ? ", 0 for the others." : ".")
        family("scrollback_account_state", .gauge, states, accounts) { labels, status in
            AccountStatus.State.all.filter { isDetailed || $0 == status.state }.map { state in
                Sample(labels: labels + [("state", state.rawValue)], value: state == status.state ? "1" : "0")
            }
        }
        let messages = "Messages stored since the start" + (isDetailed ? ", by kind." : ".")
        family("scrollback_messages_total", .counter, messages, accounts) { labels, status in
            Self.messages(status.received ?? [:], labels, isDetailed: isDetailed)
        }
        let commits =
            isDetailed
            ? accounts.map { ($0.labels, $0.status.commits ?? CommitTimes()) }
            : [([], CommitTimes(sumOf: statuses.compactMap(\.commits)))]
        family(
            "scrollback_commit_duration_seconds", .histogram,
            "The time from handing a batch to the store until it is on disk, with the wait for a failing disk.", commits
        ) { labels, times in Self.histogram(times, labels) }
        if let replication { add(replication) }
    }

    private mutating func add(_ replication: [String: ReplicationLag]) {
        let lags = replication.sorted { $0.key < $1.key }.map { (labels: [("account", $0.key)], lag: $0.value) }
        func figure(_ name: String, _ help: String, _ value: @escaping (ReplicationLag) -> String?) {
            family(name, .gauge, help, lags) { labels, lag in
                value(lag).map { [Sample(labels: labels, value: $0)] } ?? []
            }
        }
        figure("scrollback_shared_changes_left", "Changes that the shared archive does not have yet.") {
            $0.left.map(String.init)
        }
        figure(
            "scrollback_shared_caught_up_timestamp_seconds", "The time when the shared archive last had everything."
        ) { Self.seconds($0.caughtUpAt) }
        figure("scrollback_shared_failing", "1 while nothing can be replicated, because of an error.") {
            $0.error == nil ? "0" : "1"
        }
    }

    private static func messages(_ received: [String: Int64], _ labels: [Label], isDetailed: Bool) -> [Sample] {
        guard isDetailed else {
            return [Sample(labels: labels, value: String(received.values.reduce(0, +)))]
        }
        return MessageKind.allCases.map { kind in
            Sample(labels: labels + [("kind", kind.rawValue)], value: String(received[kind.rawValue] ?? 0))
        }
    }

    private typealias Label = (name: String, value: String)

    private struct Sample {
        var suffix = ""
        var labels: [Label]
        var value: String
    }

    private enum Kind: String {
        case counter, gauge, histogram
    }

    /// A figure with its value; nil if the value is unknown. An unknown figure has no sample, because a wrong one would
    /// mislead.
    private typealias Figure = (
        name: String, kind: Kind, help: String, value: @Sendable (AccountStatus) -> String?
    )

    private static let figures: [Figure] = [
        ("scrollback_connected", .gauge, "1 while connected.", { $0.state == .connected ? "1" : "0" }),
        (
            "scrollback_last_sign_of_life_timestamp_seconds", .gauge,
            "The time when the server last sent anything after a login.",
            { seconds($0.lastSignOfLife) }
        ),
        (
            "scrollback_last_byte_timestamp_seconds", .gauge, "The time of the last sign of life.",
            { seconds($0.lastByte) }
        ),
        (
            "scrollback_last_event_timestamp_seconds", .gauge, "The time when the newest stored message was received.",
            { seconds($0.lastEvent) }
        ),
        (
            "scrollback_last_commit_timestamp_seconds", .gauge, "The time when a batch was last written to disk.",
            { seconds($0.lastCommit) }
        ),
        (
            "scrollback_received_bytes_total", .counter, "Bytes received since the start.",
            { $0.receivedBytes.map(String.init) }
        ),
        (
            "scrollback_reconnects_total", .counter, "Connections since the start, without the first.",
            { $0.reconnects.map(String.init) }
        ),
        ("scrollback_stored_messages", .gauge, "Messages in the archive.", { stored($0, $0.messages) }),
        ("scrollback_gaps", .gauge, "Gaps in the archive, with the current one.", { stored($0, $0.openGaps) }),
        ("scrollback_gap_seconds", .gauge, "The total length of the gaps.", { $0.gapSeconds.map(String.init) }),
        (
            "scrollback_troubled_rooms", .gauge, "Rooms that can't be joined, or whose history is unavailable.",
            { status in status.troubledRooms.flatMap { stored(status, $0) } }
        ),
        ("scrollback_failures", .gauge, "Events that could not be read or stored.", { stored($0, $0.failures) }),
        ("scrollback_file_bytes", .gauge, "The size of the account's file.", { $0.fileBytes.map(String.init) }),
    ]

    private static let walBytes: Figure = (
        "scrollback_wal_bytes", .gauge, "The size of the file's write-ahead log.", { $0.walBytes.map(String.init) }
    )

    /// Returns nil for an account whose file was never read.
    private static func stored(_ status: AccountStatus, _ value: Int64) -> String? {
        status.gapSeconds == nil ? nil : String(value)
    }

    private static func seconds(_ time: Timestamp?) -> String? {
        time.map { seconds(microseconds: $0.microseconds) }
    }

    /// Returns the exact seconds, which a `Double` would round.
    private static func seconds(microseconds: Int64) -> String {
        let (whole, rest) = microseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        let digits = String(rest + 1_000_000).dropFirst()
        let fraction = digits.reversed().drop { $0 == "0" }.reversed()
        return (microseconds < 0 ? "-" : "") + String(whole) + (rest == 0 ? "" : "." + String(fraction))
    }

    private static func histogram(_ times: CommitTimes, _ labels: [Label]) -> [Sample] {
        let buckets = zip(CommitTimes.bounds, times.within).map { bound, count in
            Sample(
                suffix: "_bucket", labels: labels + [("le", seconds(microseconds: bound))], value: String(count))
        }
        return buckets + [
            Sample(suffix: "_bucket", labels: labels + [("le", "+Inf")], value: String(times.count)),
            Sample(suffix: "_sum", labels: labels, value: seconds(microseconds: times.microseconds)),
            Sample(suffix: "_count", labels: labels, value: String(times.count)),
        ]
    }

    private mutating func family<Element>(
        _ name: String, _ kind: Kind, _ help: String, _ elements: [Element], samples: (Element) -> [Sample]
    ) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
        for sample in elements.flatMap(samples) {
            let labels = sample.labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
            text += "\(name)\(sample.suffix)\(labels.isEmpty ? "" : "{\(labels)}") \(sample.value)\n"
        }
    }

    /// Escapes a label's value as the format requires. Makes control characters visible, as `\u{1B}`, because a scraper
    /// would store them and show them to people.
    package static func escaped(_ value: String) -> String {
        Sanitizer.line(value).replacingScalar("\\", with: "\\\\").replacingScalar("\"", with: "\\\"")
    }
}

extension AccountStatus.State {
    fileprivate static let all: [AccountStatus.State] = [
        .connected, .connecting, .waiting, .needsLogin, .offline, .failed,
    ]
}
