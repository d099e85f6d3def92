import TestSupport
import Testing

@testable import IRCWire

/// A suite with pages of history, in milliseconds after a beginning.
protocol HistoryFillSuite {}

extension HistoryFillSuite {
    var begin: Int64 { PagedHistory.begin / 1000 }

    /// `(milliseconds after the beginning, id)`.
    func page(_ messages: (Int64, String)...) -> [IRCMessage] {
        messages.map { time, id in
            IRCMessage("@time=\(text(time));msgid=\(id) :al!u@h PRIVMSG #a :\(id)")
        }
    }

    func text(_ time: Int64) -> String { ServerTime.text(milliseconds: begin + time).text }

    func point(_ time: Int64, _ id: String?) -> HistoryPoint {
        HistoryPoint(
            msgid: id.map { Array($0) }, milliseconds: begin + time, sender: Array("al"), text: Array(id ?? ""))
    }

    func fill(
        _ start: HistoryFill.Start, limit: Int = 3, _ types: Set<MessageReferenceType> = [.msgid, .timestamp]
    ) -> HistoryFill {
        HistoryFill(target: Array("#a"), start: start, limit: limit, types: types)
    }

    func shown(_ actions: [HistoryFill.Action]) -> [String] {
        actions.map { action in
            switch action {
            case .request(let message): message.line
            case .covered(let from, let to): "covered \(from - begin) \(to.map { "\($0 - begin)" } ?? "live")"
            case .gap(let from, let to, let why): "gap \(from - begin) \(to.map { "\($0 - begin)" } ?? "live") \(why)"
            case .retry(let seconds, let code, _): "retry \(seconds) \(code)"
            case .finished: "finished"
            }
        }
    }

    /// A fill whose newest page, from that message on, does not reach back to the last one that is archived.
    func behind(
        _ newest: (Int64, String)..., from point: HistoryPoint, earlier: [HistoryPoint] = [],
        _ types: Set<MessageReferenceType> = [.msgid, .timestamp]
    ) -> HistoryFill {
        var fill = fill(.after(point, earlier: earlier), types)
        _ = fill.begin()
        _ = fill.receive(page: newest.flatMap { page($0) })
        return fill
    }
}
