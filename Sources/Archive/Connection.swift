import Foundation
import GRDB
import Migrations

/// Opens account files with the settings that the store's promises rest on.
enum Connection {
    /// The one connection that writes, and the only one that ever checkpoints.
    static func writing(path: String) throws -> DatabaseQueue {
        var configuration = shared()
        configuration.prepareDatabase { db in
            try db.execute(
                sql: """
                    PRAGMA trusted_schema = OFF;
                    PRAGMA cell_size_check = ON;
                    PRAGMA journal_mode = WAL;
                    PRAGMA synchronous = FULL;
                    PRAGMA wal_autocheckpoint = 1000;
                    PRAGMA journal_size_limit = 67108864;
                    """)
        }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// A connection that can't write, not even a checkpoint when it is the last to close.
    static func reading(path: String) throws -> DatabaseQueue {
        var configuration = shared()
        configuration.readonly = true
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;")
        }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    private static func shared() -> Configuration {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(5)
        configuration.maximumReaderCount = 1
        return configuration
    }
}

extension DatabaseQueue {
    /// Runs the body behind what is on the queue, on the queue's own thread: SQLite may block on a slow disk for seconds,
    /// and never does so on Swift's shared threads.
    ///
    /// Not cancelled with the calling task: what was received is committed even as the listener stops.
    func run<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            asyncWriteWithoutTransaction { db in
                continuation.resume(with: Result { try body(db) })
            }
        }
    }
}

/// Which schema a file has, and the way to today's.
enum Schema {
    static var current: Int { Migrations.all.count }

    /// - Throws: ``ArchiveError`` when the file is not ours, or newer than this program.
    static func version(_ db: Database, path: String) throws -> Int {
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        let application = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        if version == 0, application == 0 { return 0 }
        guard application == Migrations.applicationID else {
            throw ArchiveError(code: .corrupt, detail: "\(path) is not a Scrollback account file")
        }
        guard version <= current else {
            throw ArchiveError(
                code: .schemaTooNew,
                detail: "\(path) has schema \(version), this scrollback knows \(current)")
        }
        return version
    }

    /// Each step is one transaction with its number, so that a kill between two leaves a valid older schema.
    static func migrate(_ db: Database, path: String) throws {
        let version = try version(db, path: path)
        for (index, migration) in Migrations.all.enumerated().dropFirst(version) {
            try db.inTransaction(.immediate) {
                try db.execute(sql: migration.sql)
                try db.execute(sql: "PRAGMA application_id = \(Migrations.applicationID)")
                try db.execute(sql: "PRAGMA user_version = \(index + 1)")
                return .commit
            }
        }
    }
}
