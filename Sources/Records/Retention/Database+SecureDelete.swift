package import SQLite

extension Database {
    /// Runs `body`, and overwrites all data that it deletes or shortens with zeros in the file.
    package func withSecureDelete(_ body: () throws -> Void) throws { try with(secureDelete: "ON", body) }

    /// Runs `body`, and does not overwrite the pages that it frees.
    package func withoutSecureDelete(_ body: () throws -> Void) throws { try with(secureDelete: "FAST", body) }

    private func with(secureDelete setting: String, _ body: () throws -> Void) throws {
        let mode = try Int.fetchOne(self, sql: "PRAGMA secure_delete") ?? 0
        try execute(sql: "PRAGMA secure_delete = \(setting)")
        // The mode is 0 (off), 1 (on) or 2 (FAST).
        defer { try? execute(sql: "PRAGMA secure_delete = \(mode == 2 ? "FAST" : "\(mode)")") }
        try body()
    }
}
