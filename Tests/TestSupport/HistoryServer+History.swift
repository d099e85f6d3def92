import IRCWire
import NIOCore
import Synchronization

/// The answers to CHATHISTORY.
extension HistoryServer {
    /// Answers a request for history. Returns false if the connection ends.
    func history(
        _ message: IRCMessage, _ text: [String], _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) async throws -> Bool {
        let (number, faults) = state.withLock { state in
            state.requestCount += 1
            state.requests.append(text.joined(separator: " "))
            return (state.requestCount, state.faults)
        }
        let label = message.tag("label").map { "@label=\(String(decoding: $0, as: UTF8.self)) " } ?? ""
        if faults.disconnects.contains(number) { return false }
        if faults.silences.contains(number) { return true }
        if let said = faults.saidBefore[number] { try await say(said) }
        if number <= faults.refusals {
            try await outbound.write(
                ByteBuffer(string: "\(label):irc.example FAIL CHATHISTORY MESSAGE_ERROR \(text[0]) :지금은 안 된다\r\n"))
            return true
        }
        var lines: [String]
        if text[0] == "TARGETS" {
            lines = ["\(label):irc.example BATCH +t draft/chathistory-targets\r\n"] + targets(text, batch: "t")
            lines.append(":irc.example BATCH -t\r\n")
        } else {
            lines = ["\(label):irc.example BATCH +h chathistory \(text[1])\r\n"]
            let page = page(text, faults).map { line($0, batch: "h") }
            if let cut = faults.cuts[number] {
                try await outbound.write(ByteBuffer(string: (lines + page.prefix(cut)).joined()))
                return false
            }
            lines += page + [":irc.example BATCH -h\r\n"]
        }
        try await outbound.write(ByteBuffer(string: lines.joined()))
        return true
    }

    private func cutoff(_ faults: Faults) -> Int64 {
        state.withLock { state in
            switch faults.cut {
            case .joinTime: state.joinedAt
            case .registrationTime: state.registeredAt - 5000
            case .expireTime: Self.now(state) - 5000
            case nil: .min
            }
        }
    }

    private func page(_ text: [String], _ faults: Faults) -> [Said] {
        let (verb, target, reference) = (text[0], text[1], text[2])
        let count = min(Int(text[3]) ?? limit, faults.pageLimit ?? limit, limit)
        // The messages in order of time, and those of one time in the order of sending.
        let history: [Said] = state.withLock { $0.history }
            .filter { $0.room == target || ($0.room == "archiver" && $0.nick == target) }
            .sorted { ($0.milliseconds, $0.number) < ($1.milliseconds, $1.number) }
        let cutoff = cutoff(faults)
        func given(_ said: some Sequence<Said>) -> [Said] {
            let kept = said.filter { $0.milliseconds >= cutoff }
            return verb == "AFTER" ? Array(kept.prefix(count)) : kept.suffix(count)
        }
        if verb == "LATEST", reference == "*" { return given(history) }
        if reference.hasPrefix("msgid=") {
            let id = String(reference.dropFirst("msgid=m".count))
            guard kind == .ids, let number = Int(id), number >= faults.forgottenIDs else { return [] }
            guard let place = history.firstIndex(where: { $0.number == number }) else { return [] }
            return given(verb == "AFTER" ? history[(place + 1)...] : history[..<place])
        }
        let time = ServerTime.milliseconds(Array(reference.dropFirst("timestamp=".count).utf8)) ?? 0
        return given(history.filter { verb == "AFTER" ? $0.milliseconds > time : $0.milliseconds < time })
    }

    private func targets(_ text: [String], batch: String) -> [String] {
        let bounds = text[1...2].map { ServerTime.milliseconds(Array($0.dropFirst("timestamp=".count).utf8)) ?? 0 }
        var latest: [String: Int64] = [:]
        for said in state.withLock({ $0.history }) {
            let name = said.room == "archiver" ? said.nick : said.room
            latest[name] = max(latest[name] ?? .min, said.milliseconds)
        }
        return latest.filter { $0.value > bounds[0] && $0.value < bounds[1] }
            .sorted { $0.value < $1.value }.prefix(limit)
            .map { "@batch=\(batch) :irc.example CHATHISTORY TARGETS \($0.key) \(Self.time($0.value))\r\n" }
    }
}
