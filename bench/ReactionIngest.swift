import Archive
import ChatModel
import Foundation

/// Measures the cost of replies, reactions and retractions, for messages with ids and original lines, as on IRC.
func runReactionIngest() async throws {
    Table.title("Ingest of IRC in batches of 1,000, messages a second")
    let total = Scale.choose("messages", 30_000, long: 100_000)
    let ways: [(name: String, change: (Int, IncomingMessage) -> [ChatEvent])] = [
        ("messages alone", { [.message($1)] }),
        ("every fifth answers another", { [.message(answer($0, $1))] }),
        ("and a reaction to every fifth", { [.message(answer($0, $1))] + reaction($0, $1) }),
        ("and every hundredth retracted", { [.message(answer($0, $1))] + reaction($0, $1) + retraction($0, $1) }),
        (
            "messages alone, with a retraction of another before",
            { ($0 == 0 ? retraction(200, $1) : []) + [.message($1)] }
        ),
    ]
    var rates = ways.map { _ in [Double]() }
    for _ in 0..<3 {
        for (way, _) in ways.enumerated() { rates[way].append(try await rate(total, ways[way].change)) }
    }
    let medians = rates.map { $0.sorted()[1] }
    for (way, median) in zip(ways, medians) {
        Table.row(way.name, "\(Int(median))", String(format: "%.2f of messages alone", median / medians[0]))
    }
}

private func rate(_ total: Int, _ change: (Int, IncomingMessage) -> [ChatEvent]) async throws -> Double {
    let sample = try SampleArchive()
    func events(_ number: Int, _ session: SessionID) -> [ChatEvent] {
        guard case .message(var message, _) = SampleArchive.event(number, session) else { return [] }
        message.remoteID = id(number)
        message.raw = Array(":user!u@host PRIVMSG #room :\(message.body ?? "")".utf8)
        return change(number, message)
    }
    try await sample.fill(to: total, events: events)
    return Double(total) / sample.storing.total
}

/// Returns an id as long as msgids are.
private func id(_ number: Int) -> String { "p3ckzq1s6vqz2e6y8u\(number)" }

private func answer(_ number: Int, _ message: IncomingMessage) -> IncomingMessage {
    guard number >= 30, number.isMultiple(of: 5) else { return message }
    var answer = message
    answer.replyTo = id(number - 30)
    return answer
}

private func reaction(_ number: Int, _ message: IncomingMessage) -> [ChatEvent] {
    guard let sender = message.sender, number >= 10, number.isMultiple(of: 5) else { return [] }
    return [
        .reaction(
            IncomingReaction(
                session: message.session, room: message.room, target: id(number - 10), sender: sender, text: "👍",
                receivedAt: message.receivedAt, ownID: id(number) + "r"))
    ]
}

private func retraction(_ number: Int, _ message: IncomingMessage) -> [ChatEvent] {
    guard number >= 100, number.isMultiple(of: 100) else { return [] }
    return [
        .deleted(
            MessageDeletion(
                session: message.session, room: message.room, remoteID: id(number - 50), receivedAt: message.receivedAt,
                retraction: MessageDeletion.Retraction(by: message.sender, reason: "spam", wipes: true)))
    ]
}
