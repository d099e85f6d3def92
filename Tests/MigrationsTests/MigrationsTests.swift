import Foundation
import Migrations
import Testing

@Suite struct MigrationsTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../migrations")

    @Test(arguments: [
        ("", Migrations.all + [Migrations.views]), ("catalog", Migrations.catalog),
        ("postgres", Migrations.shared + [Migrations.sharedRoles]),
    ])
    func `the list has every SQL file of the folder in order, with its text`(
        name: String, listed: [Migration]
    ) throws {
        let folder = Self.folder.appending(path: name)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".sql") }.sorted()
        #expect(listed.map { $0.name + ".sql" } == files)
        for (migration, file) in zip(listed, files) {
            #expect(try String(contentsOf: folder.appending(path: file), encoding: .utf8) == migration.sql)
        }
    }

    @Test(arguments: [Migrations.all, Migrations.catalog, Migrations.shared])
    func `migrations are numbered from one without a gap`(migrations: [Migration]) {
        for (index, migration) in migrations.enumerated() {
            #expect(Int(migration.name.prefix(4)) == index + 1)
        }
    }
}
