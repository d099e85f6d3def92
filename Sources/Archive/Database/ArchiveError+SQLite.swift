import GRDB
import GRDBSQLite

extension ArchiveError {
    /// Describes SQLite's error with the file's path.
    init(_ error: DatabaseError, path: String) {
        // GRDB 7 reads the message of a failed backup before SQLite has set it.
        let isSet = error.message != String(cString: sqlite3_errstr(SQLITE_OK))
        let message = isSet ? error.message ?? "" : String(cString: sqlite3_errstr(error.resultCode.rawValue))
        switch error.resultCode.primaryResultCode {
        case _ where error.isSearchIndexError:
            self.init(code: .searchIndex, detail: "\(path): the search index is damaged (\(message))")
        case .SQLITE_FULL:
            self.init(code: .storage, detail: "\(path): the disk is full")
        case .SQLITE_IOERR:
            self.init(code: .storage, detail: "\(path): the disk failed (\(message))")
        case .SQLITE_NOMEM:
            self.init(code: .storage, detail: "\(path): out of memory")
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(code: .locked, detail: "\(path) is locked by another program")
        case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM:
            // SQLITE_MAX_PATHNAME in SQLite's os_unix.c
            let isTooLong = path.utf8.count >= 512 - "-journal".utf8.count
            let reason = isTooLong ? "its path is longer than SQLite's limit of 512 bytes" : message
            self.init(code: .notPermitted, detail: "\(path) can't be opened (\(reason))")
        case .SQLITE_ERROR, .SQLITE_MISMATCH, .SQLITE_TOOBIG, .SQLITE_CONSTRAINT:
            // The statements are valid for every file that Scrollback writes, so a table or column is missing, or a
            // number is out of bounds.
            self.init(code: .corrupt, detail: "\(path) is damaged (\(message))")
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            self.init(code: .corrupt, detail: "\(path) is damaged or not a database (\(message))")
        default:
            self.init(code: .storage, detail: "\(path): \(message)")
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
    /// Reports a value that GRDB can't decode as damage. Does not pass on GRDB's own error, because it contains the
    /// whole row and messages are private.
    static func describingDamage<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch is RowDecodingError {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a column is null, which is invalid")
        }
    }

    /// True if FTS5 reports its tables as damaged or missing, or lacks memory for a length read from a damaged index.
    var isSearchIndexError: Bool {
        extendedResultCode == .SQLITE_CORRUPT_VTAB
            || [.SQLITE_ERROR, .SQLITE_NOMEM].contains(resultCode.primaryResultCode)
                && sql?.contains(SearchIndex.name) == true
    }
}
