import Foundation
import Migrations
import Testing

@Suite struct MigrationsTests {
    @Test func `the list names every SQL file of the folder, in order`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../migrations")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".sql") }.sorted()
        let all = Migrations.all + Migrations.catalog
        #expect(all.map { $0.name + ".sql" } == files)
        for (migration, file) in zip(all, files) {
            #expect(try String(contentsOf: folder.appending(path: file), encoding: .utf8) == migration.sql)
        }
    }

    @Test func `migrations are numbered from one without a hole`() {
        for (index, migration) in Migrations.all.enumerated() {
            #expect(Int(migration.name.prefix(4)) == index + 1)
        }
    }
}
