import CSQLite
import SQLite

/// SQLite's tokenizer `unicode61`, by which FTS5 divides the texts of the search index into words. For one thread at a time.
///
/// FTS5 gives its tokenizers to each connection (<https://www.sqlite.org/fts5.html#extending_fts5>). This one belongs to a
/// connection of its own.
final class WordTokenizer {
    private let queue: DatabaseQueue
    private let methods: fts5_tokenizer
    private let tokenizer: OpaquePointer

    /// The bytes of a word that FTS5 stores: `FTS5_MAX_TOKEN_SIZE` of fts5Int.h. The rest is ignored.
    private static let longestWord: Int32 = 32768
    /// The name by which FTS5 knows the pointer that it sets. SQLite keeps its address.
    private static let pointerType: StaticString = "fts5_api_ptr"

    init() throws {
        queue = try DatabaseQueue()
        let (methods, tokenizer) = try queue.sync(Self.create)
        (self.methods, self.tokenizer) = (methods, tokenizer)
    }

    deinit { methods.xDelete?(tokenizer) }

    private static func create(_ db: Database) throws -> (fts5_tokenizer, OpaquePointer) {
        let statement = try db.makeStatement(sql: "SELECT fts5(?)")
        var api: UnsafeMutablePointer<fts5_api>?
        let type = UnsafeRawPointer(pointerType.utf8Start).assumingMemoryBound(to: CChar.self)
        try withUnsafeMutablePointer(to: &api) { place in
            sqlite3_bind_pointer(statement.handle, 1, place, type, nil)
            _ = try statement.step()
            statement.reset(clearsValues: true)
        }
        var (data, methods, tokenizer) = (UnsafeMutableRawPointer?.none, fts5_tokenizer(), OpaquePointer?.none)
        guard let api, api.pointee.xFindTokenizer?(api, "unicode61", &data, &methods) == SQLITE_OK,
            methods.xCreate?(data, nil, 0, &tokenizer) == SQLITE_OK, let tokenizer
        else { throw DatabaseError(code: SQLITE_ERROR, message: "SQLite has no tokenizer unicode61") }
        return (methods, tokenizer)
    }

    /// The words of a text, as the tokenizer gives them.
    private struct Receiver {
        var place: Int64 = -1
        let body: (_ word: UnsafeRawBufferPointer, _ place: Int64) -> Void
    }

    /// Calls `body` with each word of a text and its place, from 0 on, as FTS5 stores them.
    ///
    /// - Throws: An error of SQLite when there is no memory left.
    func forEachWord(of text: String, _ body: (_ word: UnsafeRawBufferPointer, _ place: Int64) -> Void) throws {
        let code = withoutActuallyEscaping(body) { body in
            var (text, receiver) = (text, Receiver(body: body))
            return text.withUTF8 { text in
                text.withMemoryRebound(to: CChar.self) { text in
                    withUnsafeMutablePointer(to: &receiver) { receiver in
                        methods.xTokenize?(
                            tokenizer, receiver, FTS5_TOKENIZE_DOCUMENT, text.baseAddress, Int32(clamping: text.count),
                            Self.receive) ?? SQLITE_OK
                    }
                }
            }
        }
        guard code == SQLITE_OK else { throw DatabaseError(code: code, message: "the tokenizer failed") }
    }

    private static let receive:
        @convention(c) (UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, Int32, Int32, Int32) -> Int32 = {
            receiver, flags, word, count, _, _ in
            guard let receiver = receiver?.assumingMemoryBound(to: Receiver.self) else { return SQLITE_ERROR }
            // As `fts5StorageInsertCallback` counts.
            if flags & FTS5_TOKEN_COLOCATED == 0 || receiver.pointee.place < 0 { receiver.pointee.place += 1 }
            receiver.pointee.body(
                UnsafeRawBufferPointer(start: word, count: Int(min(count, longestWord))), receiver.pointee.place)
            return SQLITE_OK
        }
}
