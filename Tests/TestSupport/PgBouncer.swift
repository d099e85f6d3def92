import Foundation

/// A real PgBouncer in transaction mode, with one connection to the server. It is killed when the value is released.
package struct PgBouncer: Sendable {
    private let folder: String
    private let run: Run

    package init(before server: PostgreSQLServer) async throws {
        guard let tool = Tool.find("pgbouncer") else { throw WaitedInVain(description: "there is no pgbouncer") }
        folder = FileManager.default.temporaryDirectory.path + "/sbpool-" + UUID().uuidString.prefix(8).lowercased()
        mkdir(folder, 0o777)
        chmod(folder, 0o777)
        let configuration = """
            [databases]
            * = host=\(server.folder)
            [pgbouncer]
            unix_socket_dir = \(folder)
            listen_port = 5432
            pool_mode = transaction
            default_pool_size = 1
            auth_type = any
            \(getuid() == 0 ? "user = nobody" : "")
            """
        // With auth_type any, every client becomes this user.
        let file = folder + "/pgbouncer.ini"
        try configuration.replacingOccurrences(
            of: "* = host=\(server.folder)", with: "* = host=\(server.folder) user=postgres"
        )
        .write(toFile: file, atomically: false, encoding: .utf8)
        run = try tool.start([file])
        // The socket is there before it takes connections.
        let run = run
        try await eventually("PgBouncer is up", state: { run.errors + run.output }) { () -> Bool? in
            (run.errors + run.output).contains("process up") ? true : nil
        }
    }

    package func address(database: String) -> String { "postgresql:///\(database)?host=\(folder)&user=postgres" }
}
