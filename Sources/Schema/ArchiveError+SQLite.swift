import CSQLite
import Files
package import SQLite

extension ArchiveError {
    /// Describes SQLite's error with the file's path.
    package init(_ error: DatabaseError, path: String) {
        let message = error.message
        switch error.primaryCode {
        case _ where error.isSearchIndexError:
            self.init(code: .searchIndex, detail: "\(path): the search index is damaged (\(message))")
        case SQLITE_FULL:
            self.init(code: .storage, detail: "\(path): the disk is full")
        case SQLITE_IOERR:
            self.init(code: .storage, detail: "\(path): the disk failed (\(message))")
        case SQLITE_NOMEM:
            self.init(code: .storage, detail: "\(path): out of memory")
        case SQLITE_BUSY, SQLITE_LOCKED:
            self.init(code: .locked, detail: "\(path) is locked by another program")
        case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM:
            // SQLITE_MAX_PATHNAME in SQLite's os_unix.c
            let isTooLong = path.utf8.count >= 512 - "-journal".utf8.count
            let reason = isTooLong ? "its path is longer than SQLite's limit of 512 bytes" : message
            self.init(code: .notPermitted, detail: "\(path) can't be opened (\(reason))")
        case SQLITE_ERROR, SQLITE_MISMATCH, SQLITE_TOOBIG, SQLITE_CONSTRAINT:
            // The statements are valid for every file that Scrollback writes, so a table or column is missing, or a
            // number is out of bounds.
            self.init(code: .corrupt, detail: "\(path) is damaged (\(message))")
        case SQLITE_CORRUPT, SQLITE_NOTADB:
            self.init(code: .corrupt, detail: "\(path) is damaged or not a database (\(message))")
        default:
            self.init(code: .storage, detail: "\(path): \(message)")
        }
    }

    package static func wrapping<T>(_ path: String, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw ArchiveError(error, path: path)
        }
    }

    package static func wrapping<T>(_ path: String, _ body: () async throws -> T) async throws -> T {
        do {
            return try await body()
        } catch let error as DatabaseError {
            throw ArchiveError(error, path: path)
        }
    }
}

extension DatabaseError {
    /// True if FTS5 reports its tables as damaged or missing, or lacks memory for a length read from a damaged index.
    package var isSearchIndexError: Bool {
        // SQLITE_CORRUPT_VTAB, whose definition Swift can't read.
        code == SQLITE_CORRUPT | 1 << 8
            || [SQLITE_ERROR, SQLITE_NOMEM].contains(primaryCode)
                && sql?.contains(Schema.searchIndex) == true
    }
}

extension DatabaseError {
    /// True for an error of the disk or the process, which may pass. The writer retries the events after it.
    package var isStorageError: Bool {
        switch primaryCode {
        case SQLITE_FULL, SQLITE_IOERR, SQLITE_BUSY, SQLITE_LOCKED, SQLITE_NOMEM, SQLITE_CORRUPT, SQLITE_READONLY,
            SQLITE_CANTOPEN, SQLITE_NOTADB, SQLITE_PROTOCOL, SQLITE_INTERRUPT:
            true
        default:
            false
        }
    }
}
