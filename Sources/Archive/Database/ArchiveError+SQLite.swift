import GRDB

extension ArchiveError {
    /// What SQLite said, with the file and what to try.
    init(_ error: DatabaseError, path: String) {
        let said = error.message ?? "SQLite error \(error.resultCode.rawValue)"
        switch error.resultCode.primaryResultCode {
        case _ where error.isOfTheSearchIndex:
            self.init(code: .searchIndex, detail: "\(path): the search index is damaged (\(said))")
        case .SQLITE_FULL:
            self.init(code: .storage, detail: "\(path): the disk is full")
        case .SQLITE_IOERR:
            self.init(code: .storage, detail: "\(path): the disk failed (\(said))")
        case .SQLITE_NOMEM:
            self.init(code: .storage, detail: "\(path): out of memory")
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(code: .locked, detail: "\(path) is locked by another program")
        case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM:
            // SQLITE_MAX_PATHNAME in SQLite's os_unix.c
            let isTooLong = path.utf8.count >= 512 - "-journal".utf8.count
            let reason = isTooLong ? "its path is longer than the 512 bytes that SQLite takes" : said
            self.init(code: .notPermitted, detail: "\(path) can't be opened (\(reason))")
        case .SQLITE_ERROR, .SQLITE_MISMATCH, .SQLITE_TOOBIG, .SQLITE_CONSTRAINT:
            // Our statements suit a file that we wrote: a table or a column is gone, or a number is beyond all bounds.
            self.init(code: .corrupt, detail: "\(path) is damaged (\(said))")
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            self.init(code: .corrupt, detail: "\(path) is damaged or no database (\(said))")
        default:
            self.init(code: .storage, detail: "\(path): \(said)")
        }
    }

    static func wrapping<T>(_ path: String, _ body: () throws -> T) throws -> T {
        do {
            return try DatabaseError.describingDamage(body)
        } catch let error as DatabaseError {
            throw ArchiveError(error, path: path)
        }
    }

    static func wrapping<T>(_ path: String, _ body: () async throws -> T) async throws -> T {
        do {
            return try await body()
        } catch let error as DatabaseError {
            throw ArchiveError(error, path: path)
        }
    }
}

extension DatabaseError {
    /// What GRDB can't decode is damage. Its error is not passed on, which has the whole row in it: messages are private.
    static func describingDamage<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch is RowDecodingError {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a column holds nothing, which can't be")
        }
    }

    /// FTS5 says of its own tables that they are damaged or not there, or lacks the memory that a damaged number asks for.
    var isOfTheSearchIndex: Bool {
        extendedResultCode == .SQLITE_CORRUPT_VTAB
            || [.SQLITE_ERROR, .SQLITE_NOMEM].contains(resultCode.primaryResultCode)
                && sql?.contains(SearchIndex.name) == true
    }
}
