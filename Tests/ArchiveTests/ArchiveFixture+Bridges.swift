import Archive
import ChatModel
import Testing

@testable import Checks
@testable import Reading
@testable import Writing

/// Bridges of the bot `relay`, and what readers see of them.
extension ArchiveFixture {
    static let bridgePattern = "<{nick}> {text}"

    func bridging(undoes: Bool = false, bot: String = "relay", pattern: String = bridgePattern) throws -> Bridging {
        Bridging(bot: try user(bot), name: bot, pattern: try BridgePattern(pattern), undoes: undoes)
    }

    /// Returns the number of a user of the network itself.
    func user(_ key: String) throws -> Int64 {
        try #require(try value("SELECT id FROM user WHERE key = '\(key)'"))
    }

    /// Makes a bridge, or undoes one.
    ///
    /// - Returns: The number of messages that moved.
    @discardableResult
    func bridge(_ request: Bridging, by writer: AccountWriter, steps: Int = .max) async throws -> Int64 {
        var (place, count, messages) = (MergingPlace?.none, 0, Int64(0))
        repeat {
            let step = try await writer.bridge(request, from: place, at: Self.at(1))
            messages += step.messages
            (place, count) = (step.next, count + 1)
        } while place != nil && count < steps
        return messages
    }

    func messages(_ account: String = "demo") async throws -> [Message] {
        try archive.reading().page(query(room: nil, accounts: [account])).messages
    }

    /// Returns texts such as `alice⇄relay: hi`.
    func shown(_ account: String = "demo") async throws -> [String] {
        try await messages(account).map { message in
            "\(message.sender?.name ?? "")\(message.via.map { "⇄\($0.bot)" } ?? ""): \(message.body ?? "")"
        }
    }

    func expectSound(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let problems = try archive.check().flatMap(\.problems)
        #expect(problems.isEmpty, sourceLocation: sourceLocation)
    }
}
