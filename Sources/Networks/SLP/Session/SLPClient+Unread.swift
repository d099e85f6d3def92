package import ChatModel
import SLPWire
import Sessions

extension SLPClient: UnreadCounter {
    /// The time limit for one room, because a person waits for the answer.
    private static let timeout = Duration.seconds(30)

    /// Returns the service's counts of unread messages: one answer for each question, in order. A room that fails has
    /// an error as its answer.
    package func answers(to questions: [UnreadQuestion]) async -> [UnreadAnswer] {
        var names = ChannelNames(client: self)
        var answers: [UnreadAnswer] = []
        for question in questions {
            do {
                let address = try await names.address(question)
                let count = try await within(
                    Self.timeout, of: ContinuousClock(),
                    else: ConnectionError(code: .timedOut, detail: "the server does not answer in time")
                ) { try await self.unread(in: address, after: question.since.microseconds) }
                answers.append(UnreadAnswer(room: question.room, count: count))
            } catch {
                answers.append(UnreadAnswer(room: question.room, error: "\(error)"))
            }
        }
        return answers
    }
}

/// The present names of channels, for the paths of generation 1. Each workspace is read once.
private struct ChannelNames {
    let client: SLPClient
    private var known: [String: [String: String]] = [:]

    init(client: SLPClient) {
        self.client = client
    }

    mutating func address(_ question: UnreadQuestion) async throws -> SLPRoomAddress {
        guard let workspace = question.workspace else {
            throw CallError(code: .refused, detail: "the room's workspace is unknown")
        }
        if let id = SLPRoom.directID(ofKey: question.key) {
            // Both generations address the room by its id.
            return .direct(workspace: workspace, id: id, partner: "")
        }
        guard let id = SLPRoom.channelID(ofKey: question.key) else {
            throw CallError(code: .refused, detail: "it is not a room of the service")
        }
        guard try await client.generation() == .one else {
            return .channel(workspace: workspace, id: id, name: "")
        }
        guard let name = try await names(workspace)[id] else {
            throw CallError(code: .gone, detail: "the account has left the channel")
        }
        return .channel(workspace: workspace, id: id, name: name)
    }

    private mutating func names(_ workspace: String) async throws -> [String: String] {
        if let names = known[workspace] { return names }
        // Reads all channels, because the account may be in one only by its name in the configuration.
        let channels = try await client.allChannels(of: workspace).compactMap(\.value)
        let names = Dictionary(channels.map { ($0.id, $0.name ?? $0.id) }, uniquingKeysWith: { first, _ in first })
        known[workspace] = names
        return names
    }
}
