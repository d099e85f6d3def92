import CSQLite
import Glibc
import SQLite

/// Weighs hits of the search index by BM25 without lengths (b = 0): rare words count more than common ones, and
/// repeated words more than single ones. FTS5's own `bm25` needs the lengths of all rows, which the index does not
/// keep.
///
/// The SQL function is `relevance(message_search)`; higher is better. Facets have no weight.
enum Relevance {
    /// k1 of Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009), as FTS5 has it.
    private static let saturation = 1.2
    /// The weight of a word that is in more than half of the rows, as in FTS5.
    private static let smallestWeight = 1e-6
    /// The number of the first column that is not text.
    private static let facets: Int32 = 2

    static func register(_ db: Database) throws {
        let api = try extensions(of: db)
        let code = api.pointee.xCreateFunction(
            UnsafeMutablePointer(mutating: api), "relevance", nil,
            { api, hit, context, _, _ in
                guard let api, let hit else { return }
                let (code, score) = Relevance.score(Hit(api: api, context: hit))
                if code == SQLITE_OK {
                    sqlite3_result_double(context, score)
                } else {
                    sqlite3_result_error_code(context, code)
                }
            }, nil)
        guard code == SQLITE_OK else { throw DatabaseError(code: code) }
    }

    /// Returns FTS5's functions of a connection (sqlite.org/fts5.html, section 7).
    private static func extensions(of db: Database) throws -> UnsafePointer<fts5_api> {
        let statement = try db.makeStatement(sql: "SELECT fts5(?1)")
        var found: UnsafePointer<fts5_api>?
        try withUnsafeMutablePointer(to: &found) { found in
            let type: StaticString = "fts5_api_ptr"
            type.withUTF8Buffer { type in
                _ = sqlite3_bind_pointer(
                    statement.handle, 1, found, UnsafeRawPointer(type.baseAddress)?.assumingMemoryBound(to: CChar.self),
                    nil)
            }
            _ = try statement.step()
        }
        guard let found else { throw DatabaseError(code: SQLITE_ERROR, message: "SQLite has no FTS5") }
        return found
    }

    /// The current row of a query.
    private struct Hit {
        let api: UnsafePointer<Fts5ExtensionApi>
        let context: OpaquePointer
    }

    private static func score(_ hit: Hit) -> (code: Int32, score: Double) {
        let weights = weights(hit)
        var count: Int32 = 0
        var code = hit.api.pointee.xInstCount(hit.context, &count)
        var occurrences = [Double](repeating: 0, count: weights.values.count)
        for index in 0..<max(count, 0) where code == SQLITE_OK {
            var (phrase, column, offset): (Int32, Int32, Int32) = (0, 0, 0)
            code = hit.api.pointee.xInst(hit.context, index, &phrase, &column, &offset)
            if column < facets, occurrences.indices.contains(Int(phrase)) { occurrences[Int(phrase)] += 1 }
        }
        var score = 0.0
        for (phrase, count) in occurrences.enumerated() where count > 0 && code == SQLITE_OK {
            if weights.values[phrase] == nil { (code, weights.values[phrase]) = weigh(Int32(phrase), hit) }
            score += (weights.values[phrase] ?? 0) * count * (saturation + 1) / (count + saturation)
        }
        return (code, score)
    }

    /// The weight of each phrase of a query, kept from its first row to its last.
    private final class Weights {
        /// A value is nil until it is needed.
        var values: [Double?]

        init(count: Int32) {
            values = Array(repeating: nil, count: Int(max(count, 0)))
        }
    }

    private static func weights(_ hit: Hit) -> Weights {
        if let kept = hit.api.pointee.xGetAuxdata(hit.context, 0) {
            return Unmanaged<Weights>.fromOpaque(kept).takeUnretainedValue()
        }
        let weights = Weights(count: hit.api.pointee.xPhraseCount(hit.context))
        _ = hit.api.pointee.xSetAuxdata(hit.context, Unmanaged.passRetained(weights).toOpaque()) { kept in
            if let kept { Unmanaged<Weights>.fromOpaque(kept).release() }
        }
        return weights
    }

    private static func weigh(_ phrase: Int32, _ hit: Hit) -> (code: Int32, weight: Double) {
        var (rows, found): (Int64, Int64) = (0, 0)
        var code = hit.api.pointee.xRowCount(hit.context, &rows)
        guard code == SQLITE_OK else { return (code, 0) }
        code = hit.api.pointee.xQueryPhrase(hit.context, phrase, &found) { _, _, found in
            found?.assumingMemoryBound(to: Int64.self).pointee += 1
            return SQLITE_OK
        }
        let weight = log((Double(rows - found) + 0.5) / (Double(found) + 0.5))
        return (code, weight > 0 ? weight : smallestWeight)
    }
}
