import Bytes
import ChatModel
import Files
package import PostgreSQL

/// The permissions of a shared archive's readers.
package enum SharedRoles {
    /// Returns true if readers see only the accounts that their role has permission for.
    package static func areUsed(_ server: PostgreSQLConnection) throws -> Bool {
        try server.execute("SELECT relrowsecurity FROM pg_class WHERE oid = 'scrollback.message'::regclass")
            .integer(0, 0) == 1
    }

    /// Permits a role to read accounts; all accounts, also later ones, if none is named.
    ///
    /// - Throws: ``PostgreSQLError``; `ArchiveError` for an account that is not there; ``SharedArchiveError/noRoles``.
    package static func permit(_ role: String, accounts: [String], _ server: PostgreSQLConnection) throws {
        let folders = try folders(of: accounts, server)
        try server.transaction {
            guard try areUsed(server) else { throw SharedArchiveError.noRoles }
            try server.execute("GRANT scrollback_reader TO \(quoted(role))")
            for folder in folders {
                try server.execute(
                    "INSERT INTO scrollback.permission VALUES ($1::name, $2) ON CONFLICT DO NOTHING",
                    [.text(role), .text(folder)])
            }
        }
    }

    /// Takes the permission for accounts away; every permission of the role if none is named.
    ///
    /// - Returns: False if the role had none of them.
    package static func forbid(
        _ role: String, accounts: [String], _ server: PostgreSQLConnection
    ) throws -> Bool {
        let folders = accounts.isEmpty ? [] : try folders(of: accounts, server)
        return try server.transaction {
            guard try areUsed(server) else { throw SharedArchiveError.noRoles }
            guard !folders.isEmpty else {
                return try server.execute(
                    "DELETE FROM scrollback.permission WHERE role = $1::name", [.text(role)]
                ).changed > 0
            }
            var count = 0
            for folder in folders {
                count += try server.execute(
                    "DELETE FROM scrollback.permission WHERE role = $1::name AND folder = $2",
                    [.text(role), .text(folder)]
                ).changed
            }
            return count > 0
        }
    }

    /// Returns the folders of the named accounts; the sign for all accounts if none is named.
    private static func folders(of accounts: [String], _ server: PostgreSQLConnection) throws -> [String] {
        guard !accounts.isEmpty else { return [""] }
        let known = try SharedServer.accounts(server)
        return try accounts.map { name in
            guard let account = known.first(where: { $0.identity.name.isExactly(name) }) else {
                throw ArchiveError(
                    account: name, in: "the shared archive", known: known.map(\.identity.name))
            }
            return account.folder
        }
    }

    private static func quoted(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }
}
