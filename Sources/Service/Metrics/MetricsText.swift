package import ChatModel
import Rendering

/// The listener's figures in Prometheus's text format, version 0.0.4.
package struct MetricsText {
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    package private(set) var text = ""

    package init(_ statuses: [AccountStatus]) {
        family("scrollback_build_info", .gauge, "Which scrollback this is; always 1.", [[]]) { _ in
            [Sample(labels: [("version", ProgramVersion.current)], value: "1")]
        }
        let accounts = statuses.map { [("account", $0.account), ("network", $0.network)] }
        for (name, type, help, value) in Self.figures {
            let known = zip(accounts, statuses).compactMap { labels, status in
                value(status).map { Sample(labels: labels, value: $0) }
            }
            family(name, type, help, known) { [$0] }
        }
        let both = Array(zip(accounts, statuses))
        family("scrollback_account_state", .gauge, "1 for the state that the account is in, 0 for the others.", both) {
            labels, status in
            AccountStatus.State.all.map { state in
                Sample(labels: labels + [("state", state.rawValue)], value: state == status.state ? "1" : "0")
            }
        }
        family("scrollback_messages_total", .counter, "Messages stored since the start, by kind.", both) {
            labels, status in
            MessageKind.allCases.map { kind in
                Sample(labels: labels + [("kind", kind.rawValue)], value: String(status.received?[kind.rawValue] ?? 0))
            }
        }
        family(
            "scrollback_commit_duration_seconds", .histogram,
            "From handing a batch to the store until it was on disk, waiting for a disk in trouble included.", both
        ) { labels, status in Self.histogram(status.commits ?? CommitTimes(), labels) }
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

    /// A figure. Its value is nil if it is unknown. There is no sample in that case, which is better than a wrong one.
    private typealias Figure = (
        name: String, kind: Kind, help: String, value: @Sendable (AccountStatus) -> String?
    )

    private static let figures: [Figure] = [
        ("scrollback_connected", .gauge, "1 while connected.", { $0.state == .connected ? "1" : "0" }),
        (
            "scrollback_last_sign_of_life_timestamp_seconds", .gauge,
            "When anything was last received from the server.",
            { seconds($0.lastSignOfLife) }
        ),
        (
            "scrollback_last_byte_timestamp_seconds", .gauge, "When bytes were received last.",
            { seconds($0.lastByte) }
        ),
        (
            "scrollback_last_event_timestamp_seconds", .gauge, "When the newest of what is stored was received.",
            { seconds($0.lastEvent) }
        ),
        (
            "scrollback_last_commit_timestamp_seconds", .gauge, "When a batch was last on disk.",
            { seconds($0.lastCommit) }
        ),
        (
            "scrollback_received_bytes_total", .counter, "Bytes received since the start.",
            { $0.receivedBytes.map(String.init) }
        ),
        (
            "scrollback_reconnects_total", .counter, "Connections since the start, the first left out.",
            { $0.reconnects.map(String.init) }
        ),
        ("scrollback_stored_messages", .gauge, "Messages in the archive.", { stored($0, $0.messages) }),
        ("scrollback_gaps", .gauge, "Gaps in the archive, the current one included.", { stored($0, $0.openGaps) }),
        ("scrollback_gap_seconds", .gauge, "Their length together.", { $0.gapSeconds.map(String.init) }),
        ("scrollback_failures", .gauge, "Events that could not be read or stored.", { stored($0, $0.failures) }),
        ("scrollback_file_bytes", .gauge, "Size of the account's file.", { $0.fileBytes.map(String.init) }),
        ("scrollback_wal_bytes", .gauge, "Size of its write-ahead log.", { $0.walBytes.map(String.init) }),
    ]

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
            text += "\(name)\(sample.suffix){\(labels)} \(sample.value)\n"
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
