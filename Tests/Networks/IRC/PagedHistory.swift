import IRCWire
import TestSupport

/// A room's history as the two known kinds of servers give it.
struct PagedHistory {
    struct Stored {
        var microseconds: Int64
        var id: Int
        /// In milliseconds, which is what is printed.
        var time: Int64 { microseconds / 1000 }
    }

    /// Ergo: msgid and timestamp selectors, an unknown msgid is answered with nothing. soju: timestamps only.
    enum Kind: CaseIterable { case ergo, soju, sojuWithoutIDs }

    var kind: Kind
    var stored: [Stored]
    var limit: Int
    /// Ergo's pages may be shorter than asked, though there is more.
    var cutsPages = false
    /// Ergo: what is older is in no answer, without an error (`query-cutoff` and `expire-time`), though its ids are known.
    var cutoff: Int64 = .min
    /// Microseconds that its times are multiples of: some keep more than they print, some keep seconds.
    var grain: Int64 = 1

    var types: Set<MessageReferenceType> { kind == .ergo ? [.msgid, .timestamp] : [.timestamp] }

    func line(_ message: Stored) -> IRCMessage {
        let time = ServerTime.text(milliseconds: message.time).text
        let id = kind == .sojuWithoutIDs ? "" : ";msgid=m\(message.id)"
        return IRCMessage("@time=\(time)\(id) :alice!u@h PRIVMSG #a :message \(message.id)")
    }

    func point(_ message: Stored) -> HistoryPoint? { HistoryPoint(line(message)) }

    func answer(_ request: IRCMessage, _ random: inout SeededGenerator) -> [Stored] {
        let count = min(request.param(3).text.asNumber, limit)
        let length = cutsPages && count > 0 ? Int.random(in: 1...count, using: &random) : count
        let reference = request.param(2).text
        let isAfter = request.param(0).text == "AFTER"
        func page(_ messages: some Sequence<Stored>) -> [Stored] {
            let given = messages.filter { $0.microseconds >= cutoff }
            return isAfter ? Array(given.prefix(length)) : given.suffix(length)
        }
        if reference.hasPrefix("msgid=") {
            let id = Int(reference.dropFirst("msgid=m".count))
            guard kind == .ergo, let index = stored.firstIndex(where: { $0.id == id }) else {
                return []
            }
            return page(isAfter ? stored[(index + 1)...] : stored[..<index])
        }
        guard reference != "*" else { return page(stored) }
        let time = (ServerTime.milliseconds(Array(String(reference.dropFirst("timestamp=".count)))) ?? 0) * 1000
        return page(stored.filter { isAfter ? $0.microseconds > time : $0.microseconds < time })
    }
}

extension String {
    var asNumber: Int { Int(self) ?? 0 }
}
