import ChatModel
import Rendering
import Sessions
import Settings
import Writing

/// Answers requests to a running listener: the status of its accounts, and changes to their files.
struct ControlAnswers: Sendable {
    let registry: StatusRegistry
    let accounts: OpenAccounts

    func answer(_ request: ControlRequest) async -> ControlReply {
        switch request {
        case .status: ControlReply(accounts: await registry.statuses())
        case .change(let change): await perform(change)
        case .unread(let account, let questions): await count(account, questions)
        case .backfill(let account, let room, let after): await backfill(account, room, after)
        }
    }

    private func backfill(_ name: String, _ id: Int64?, _ after: Timestamp?) async -> ControlReply {
        guard let account = accounts[name] else { return ControlReply(done: false) }
        var room: RoomReference?
        if let id {
            do {
                room = try await account.writer.reference(room: id)
            } catch is AccountWriterClosed {
                return ControlReply(done: false)
            } catch {
                return ControlReply(error: FailureText.sentence(for: error) ?? "\(error)")
            }
            if room == nil { return ControlReply(error: "no room \(id) in account \"\(name)\"") }
        }
        return switch account.listener.backfill(room, after: after) {
        case .requested(let rooms): ControlReply(rooms: rooms)
        case .notConnected:
            ControlReply(error: "account \"\(name)\" is not connected; it fetches missing history when it connects")
        case .unsupported:
            ControlReply(error: "the server of account \"\(name)\" can't be asked for history")
        }
    }

    private func count(_ account: String, _ questions: [UnreadQuestion]) async -> ControlReply {
        guard let counter = accounts[account]?.listener.counter else { return ControlReply(done: false) }
        return ControlReply(answers: await counter.answers(to: questions))
    }

    private func perform(_ change: StoreChange) async -> ControlReply {
        guard let account = accounts[change.account] else { return ControlReply(done: false) }
        do {
            let outcome = try await change.apply(to: account.writer)
            if let purged = outcome.purged, purged.next == nil { await account.rulesWereApplied() }
            return ControlReply(outcome: outcome)
        } catch is AccountWriterClosed {
            // The account has left the network. The control socket stays until all accounts have.
            return ControlReply(done: false)
        } catch {
            return ControlReply(error: FailureText.sentence(for: error) ?? "\(error)")
        }
    }
}
