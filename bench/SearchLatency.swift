import Archive
import ChatModel
import Foundation
import SearchText

/// How long the newest 20 hits take, of queries of one kind.
struct SearchLatency {
    /// Milliseconds: of the middle query and of the slowest, in files that are held open.
    var median: Double
    var worst: Double
    var slowest: String
    /// Of the middle query, when the files are opened for it.
    var opened: Double

    private static let runs = 11

    /// Every query several times in a row, of which the middle one counts: what it reads is in memory.
    static func measure(_ queries: [String], in archive: Archive) async throws -> SearchLatency {
        let page = try MessageQuery(scope: .accounts([SampleArchive.account.name]), limit: 20)
        let reading = try await archive.reading(page.scope)
        var held: [(query: String, time: Double)] = []
        var opened: [Double] = []
        for query in queries {
            let scope = SearchScope(query: SearchQuery(parsing: query))
            var (warm, open) = (Sample(), Sample())
            guard try await !reading.page(page, matching: scope).messages.isEmpty else {
                throw BenchmarkError("nothing is found by \(query)")
            }
            for _ in 0..<runs { _ = try await warm.measure { try await reading.page(page, matching: scope) } }
            for _ in 0..<runs { _ = try await open.measure { try await archive.reading().page(page, matching: scope) } }
            held.append((query, warm.median * 1000))
            opened.append(open.median * 1000)
        }
        held.sort { $0.time < $1.time }
        opened.sort()
        guard let last = held.last else { throw BenchmarkError("no query") }
        return SearchLatency(
            median: held[held.count / 2].time, worst: last.time, slowest: last.query, opened: opened[opened.count / 2])
    }
}
