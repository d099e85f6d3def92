package import ChatModel
package import SQLite
import Schema

/// Keeps digests of the stored messages, so that `archive check` finds a message that the disk or another program
/// changed.
///
/// All messages of 72 minutes share one row, a block: storing a message adds its digest to the block, changing it
/// replaces the digest, and removing it removes the digest. So a message costs no bytes of its own, and a check knows
/// the time of a change to 72 minutes. Joins, leaves, renames and modes have no digest, as they have no entry in the
/// search index.
package enum MessageDigests {
    /// Returns the block of a message.
    static func block(of id: Int64) -> Int64 { id >> 32 }

    /// Returns the first id behind a block; nil for the last block.
    private static func end(of block: Int64) -> Int64? {
        let (end, isOverflow) = (block &+ 1).multipliedReportingOverflow(by: 1 << 32)
        return isOverflow ? nil : end
    }

    /// A hash with the numbers of FNV-1a. It takes 8 bytes a step, because one byte a step costs a percent of the time of
    /// storing a message.
    fileprivate struct Hash {
        private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

        mutating func add(_ number: UInt64) {
            value = (value ^ number) &* 0x0000_0100_0000_01B3
            value ^= value >> 32
        }

        mutating func add(_ bytes: UnsafeRawBufferPointer) {
            let whole = bytes.count & ~7
            var place = 0
            while place < whole {
                add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
                place += 8
            }
            var rest: UInt64 = 0
            while place < bytes.count {
                rest = rest << 8 | UInt64(bytes[place])
                place += 1
            }
            add(rest)
            add(UInt64(bytes.count))
        }
    }

    /// Adds changes to the digests of their blocks.
    ///
    /// - Parameter changes: The changes in the order of their ids.
    static func apply(_ changes: [SearchIndex.Change], _ db: Database) throws {
        let from = try reach(db)
        var current: (block: Int64, change: UInt64)?
        for place in changes.indices {
            let block = block(of: changes[place].id)
            guard block >= from else { continue }
            if let done = current, done.block != block {
                try combine(done.block, done.change, db)
                current = nil
            }
            var digest = current?.change ?? 0
            // Binding an entry to a name would copy it.
            digest ^= changes[place].old?.digest ?? 0
            digest ^= changes[place].new?.digest ?? 0
            current = (block, digest)
        }
        if let current { try combine(current.block, current.change, db) }
    }

    private static func combine(_ block: Int64, _ change: UInt64, _ db: Database) throws {
        // SQLite has no XOR. The difference never overflows, because the second number has only bits of the first.
        let combination = try db.cachedStatement(
            sql: """
                INSERT INTO message_digest (block, digest) VALUES (?1, ?2)
                ON CONFLICT (block) DO UPDATE SET digest = (digest | ?2) - (digest & ?2)
                """)
        try combination.execute {
            $0.bind(1, block)
            $0.bind(2, Int64(bitPattern: change))
        }
    }

    /// Returns the first block with digests.
    private static func reach(_ db: Database) throws -> Int64 {
        try db.cachedStatement(sql: "SELECT from_block FROM digest_reach").first({ _ in }) { try $0.limit(0) } ?? .min
    }

    // MARK: Filling

    /// Makes the digests of the next earlier blocks, until they have ``SearchFilling/batch`` messages or more.
    ///
    /// - Returns: The first id that has a digest; nil if all messages have one.
    static func fill(_ db: Database) throws -> Int64? {
        var from: Int64? = try reach(db)
        guard from != .min else { return nil }
        var count = 0
        while count < SearchFilling.batch, let next = from {
            let last = try Int64.fetchOne(
                db.cachedStatement(sql: "SELECT max(id) FROM message WHERE id < ?"),
                arguments: [end(of: next - 1) ?? .max])
            from = last.map(block(of:))
            guard let from else { break }
            let found = try digest(of: from, db)
            try combine(from, found.digest, db)
            count += found.count
        }
        try db.execute(sql: "UPDATE digest_reach SET from_block = ?", arguments: [from ?? .min])
        return from.map { $0 << 32 }
    }

    /// Forgets all digests, to make them again.
    package static func reset(_ db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM message_digest;
                UPDATE digest_reach SET from_block = ifnull((SELECT (max(id) >> 32) + 1 FROM message), \(Int64.min));
                """)
    }

    /// Returns the digest of the stored messages of a block, and their number.
    private static func digest(of block: Int64, _ db: Database) throws -> (digest: UInt64, count: Int) {
        let statement = try db.cachedStatement(
            sql: "SELECT \(SearchEntry.columns) FROM message NOT INDEXED WHERE noise = 0 AND id >= ? AND id < ?")
        var (digest, count): (UInt64, Int) = (0, 0)
        try statement.forEach(arguments: [block << 32, end(of: block) ?? .max]) { row in
            digest ^= try SearchEntry(row).digest
            count += 1
        }
        return (digest, count)
    }

    // MARK: Checking

    /// Returns the first and the last id that a block may have.
    package static func span(of block: Int64) -> (first: MessageID, last: MessageID) {
        (MessageID(microseconds: block << 32), MessageID(microseconds: block << 32 | 0xFFFF_FFFF))
    }

    /// Compares the messages with their digests, block by block, each in a read transaction of its own.
    ///
    /// - Returns: The blocks that differ, in order.
    package static func differing(_ db: Database, progress: (Double) -> Void) throws -> [Int64] {
        var blocks: [Int64] = []
        let last = try Int64.fetchOne(db, sql: "SELECT max(id) FROM message").map(block(of:)) ?? .min
        var next: Int64? = try reach(db)
        let first = try Int64.fetchOne(db, sql: "SELECT min(id) FROM message").map(block(of:)) ?? last
        while let block = try next.flatMap({ try nextBlock(from: $0, db) }) {
            // Both reads see one state of the file, also beside a writer.
            try db.inSavepoint {
                let stored = try Int64.fetchOne(
                    db.cachedStatement(sql: "SELECT digest FROM message_digest WHERE block = ?"), arguments: [block])
                if try digest(of: block, db).digest != UInt64(bitPattern: stored ?? 0) { blocks.append(block) }
            }
            if last > first { progress((Double(block) - Double(first)) / (Double(last) - Double(first))) }
            next = block < .max >> 32 ? block + 1 : nil
        }
        return blocks
    }

    /// Returns the first block that has a digest, but lies before the blocks that are known to have one; nil if there is none, as it
    /// must be. ``differing(_:progress:)`` compares no such block.
    package static func firstIgnored(_ db: Database) throws -> Int64? {
        try Int64.fetchOne(
            db, sql: "SELECT min(block) FROM message_digest WHERE block < (SELECT from_block FROM digest_reach)")
    }

    /// Returns the next block that has messages or a digest.
    private static func nextBlock(from block: Int64, _ db: Database) throws -> Int64? {
        let limit = max(block, .min >> 32) << 32
        let messages = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT min(id) FROM message WHERE id >= ?"), arguments: [limit])
        let digests = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT min(block) FROM message_digest WHERE block >= ?"), arguments: [block])
        return [messages.map(Self.block(of:)), digests].compactMap(\.self).min()
    }
}

extension SearchEntry {
    /// The message's digest, which differs for any two messages of which one byte differs: each step maps different states
    /// to different ones.
    var digest: UInt64 {
        var hash = MessageDigests.Hash()
        hash.add(UInt64(bitPattern: id))
        hash.add(UInt64(bitPattern: room))
        hash.add(UInt64(bitPattern: sender ?? -1))
        // Other marks are not part of it: files have digests that were made without them.
        let digested = marks.intersection([.edited, .deleted, .file]).rawValue
        hash.add(UInt64(bitPattern: kind.code << 4) | UInt64(digested) | (body == nil ? 8 : 0))
        if var body { body.withUTF8 { hash.add(UnsafeRawBufferPointer($0)) } }
        return hash.value
    }
}
