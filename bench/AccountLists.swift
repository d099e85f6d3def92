import Archive
import ChatModel
import Foundation
import Reading
import SearchText

/// Questions to all accounts of a crowd: their rooms, their states, and a search. Each question opens every account.
struct AccountLists {
    let crowd: AccountCrowd

    /// The fastest of these runs counts.
    private static let runs = 3

    /// Prints the times.
    ///
    /// - Throws: ``BenchmarkError`` if an answer lacks an account.
    func measure() throws {
        let query = try MessageQuery(scope: .accounts(crowd.indices.map(AccountCrowd.name)))
        let search = SearchScope(query: SearchQuery(parsing: "zeppelin"))
        try report("rooms of all accounts") { try $0.roomList().count }
        try report("status of all accounts") { try $0.status().count }
        try report("search of all accounts") { try $0.pageWithIndexes(query, matching: search).indexes.count }
    }

    /// - Parameter answer: Returns the number of accounts in the answer, at least.
    private func report(_ what: String, _ answer: (ArchiveReading) throws -> Int) throws {
        var sample = Sample()
        for _ in 0..<Self.runs {
            let answered = try sample.measure { try answer(crowd.archive.reading()) }
            guard answered >= crowd.counts.count else {
                throw BenchmarkError("\(what): \(answered) answers of \(crowd.counts.count)")
            }
        }
        let fastest = sample.part(0)
        let each = fastest * 1000 / Double(crowd.counts.count)
        Table.row(what, String(format: "%.2f s, %.2f ms each", fastest, each), sample.processorNote)
    }
}
