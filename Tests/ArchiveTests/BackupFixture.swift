import ChatModel
import Foundation
import SQLite
import TestSupport
import Testing

@testable import Accounts
@testable import Archive
@testable import Moves
@testable import Reading
@testable import Writing

/// An archive, and a folder for its backups.
struct BackupFixture {
    let fixture: ArchiveFixture
    /// Not there yet.
    let folder: String

    init() throws {
        fixture = try ArchiveFixture()
        folder = fixture.folder.path + "/백업"
    }

    var archive: Archive { fixture.archive }
    var copies: Archive { Archive(folder: folder) }

    func fill(_ name: String = "demo", from first: Int = 0, count: Int = 50) async throws {
        let writer = try await fixture.openWriter(name)
        let session = try await writer.openSession(
            at: ArchiveFixture.day.advanced(byMicroseconds: Int64(first)))
        _ = try await writer.append((first..<first + count).map { .said("서버 \($0)", at: Int64($0), in: session) })
        try await writer.close()
    }

    @discardableResult
    func backUp(
        _ name: String = "demo", progress: @escaping @Sendable (BackupProgress) throws -> Void = { _ in }
    ) async throws -> BackupReport {
        try archive.backup(in: folder, isNew: true).add(account: name, progress: progress)
    }

    @discardableResult
    func restore(_ name: String = "demo", to archive: Archive) async throws -> BackupReport {
        try archive.backup(in: folder).restore(account: name)
    }

    /// What an account of an archive says, from the oldest on, whichever id its one room has.
    func bodies(_ name: String = "demo", in archive: Archive) async throws -> [String] {
        try archive.reading().page(fixture.query(.oldest, limit: 1000, room: nil, accounts: [name])).bodies
    }

    /// The files with messages of a folder's one account of that name, beside which nothing lies.
    func files(_ name: String = "demo", in archive: Archive) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path(name, in: archive))
            .filter { !["lock", "writer"].contains($0) }.sorted()
    }

    func path(_ name: String = "demo", in archive: Archive) throws -> String {
        let accounts = archive.folder + "/accounts"
        let folders = try FileManager.default.contentsOfDirectory(atPath: accounts)
            .filter { AccountFolder.slug(ofDirectory: $0) == AccountFolder.slug(of: name) && !$0.hasPrefix(".") }
        return "\(accounts)/\(try #require(folders.first))"
    }

    /// From an account's plain file, as another program reads it.
    func value<T: DatabaseValueConvertible>(_ sql: String, _ name: String = "demo", in archive: Archive) throws -> T? {
        let file = try #require(try files(name, in: archive).first { $0.hasSuffix(".sqlite") })
        let queue = try DatabaseQueue(path: path(name, in: archive) + "/" + file, isReadOnly: true)
        defer { try? queue.close() }
        return try queue.read { db in try T.fetchOne(db, sql: sql) }
    }

    /// Every file below a folder, with what it has in it and when it changed.
    func state(of folder: String) throws -> [String: String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).reduce(into: [:]) { state, name in
            let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)
            let bytes = FileManager.default.contents(atPath: folder + "/" + name)
            state[name] = "\(attributes[.modificationDate] ?? "") \(bytes?.hashValue ?? 0)"
        }
    }
}
