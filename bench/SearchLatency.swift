import Archive
import ChatModel
import Foundation
import Reading
import SearchText

/// The times to find the newest 20 hits for queries of one kind.
struct SearchLatency {
    /// The milliseconds of the median query and of the slowest one, with open files.
    var median: Double
    var worst: Double
    var slowest: String
    /// The milliseconds of the median query if it has to open the files.
    var opened: Double

    private static let runs = 11

    /// Runs every query several times in a row and uses the median, so that the data it reads is in memory.
    static func measure(_ queries: [String], in archive: Archive) throws -> SearchLatency {
        let page = try MessageQuery(scope: .accounts([SampleArchive.account.name]), limit: 20)
        let reading = try archive.reading(page.scope)
        var held: [(query: String, time: Double)] = []
        var opened: [Double] = []
        for query in queries {
            let scope = try SearchScope(query, in: reading)
            var (warm, open) = (Sample(), Sample())
            guard try !reading.page(page, matching: scope).messages.isEmpty else {
                throw BenchmarkError("nothing is found by \(query)")
            }
            for _ in 0..<runs { _ = try warm.measure { try reading.page(page, matching: scope) } }
            for _ in 0..<runs { _ = try open.measure { try archive.reading().page(page, matching: scope) } }
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

extension SearchScope {
    /// Finds the rooms of `in:`, as a command does.
    init(_ text: String, in reading: ArchiveReading) throws {
        self.init(query: SearchQuery(parsing: text))
        let accounts = Dictionary(grouping: try reading.namedRooms(), by: \.account)
        for name in query.roomNames { rooms[name] = accounts.values.flatMap { RoomArgument(name).rooms(among: $0) } }
    }
}
