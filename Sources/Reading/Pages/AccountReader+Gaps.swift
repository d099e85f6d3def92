import Accounts
import ChatModel
import Records

extension AccountReader {
    var gapReader: GapReader {
        GapReader(account: account, now: .now(), isWritten: opened.lookAtWriter())
    }

    func gaps(
        rooms: [Int64]?, from lower: Int64 = .min, to upper: Int64 = .max, with others: [Gap.State] = []
    ) throws -> [Gap] {
        let reader = gapReader
        return try read { db in try reader.gaps(rooms: rooms, from: lower, to: upper, with: others, db) }
    }
}
