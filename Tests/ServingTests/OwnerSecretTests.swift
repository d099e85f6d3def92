import Foundation
import TestSupport
import Testing

@testable import Serving

struct OwnerSecretTests {
    @Test func `servers that start at the same time share the secret in the file`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        let secrets = await withTaskGroup(of: String.self) { group in
            for _ in 0..<16 { group.addTask { OwnerSecret(folder: path).text } }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(secrets.count == 1)
        let stored = try String(contentsOfFile: path + "/" + OwnerSecret.fileName, encoding: .utf8)
        #expect(stored == (secrets.first ?? "") + "\n")
        withExtendedLifetime(folder) {}
    }

    @Test func `a secret that others can read and a damaged one are replaced`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/" + OwnerSecret.fileName
        let first = OwnerSecret(folder: folder.path).text
        #expect(chmod(path, 0o640) == 0)
        let second = OwnerSecret(folder: folder.path).text
        #expect(second != first)
        try "short".write(toFile: path, atomically: false, encoding: .utf8)
        let third = OwnerSecret(folder: folder.path).text
        let fourth = OwnerSecret(folder: folder.path).text
        #expect(third != second && third == fourth)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        withExtendedLifetime(folder) {}
    }
}
