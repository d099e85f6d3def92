import Foundation

/// A real bouncer (bip) of `minsu`, who is in #room of a server. It is killed when the value is released.
package struct BipBouncer: Sendable {
    /// The password of its clients: user, password and connection.
    package static let password = "minsu:secret:example"

    package let port: Int
    package let run: Run
    private let folder: TemporaryFolder

    package static var isAvailable: Bool { Tool.find("bip") != nil }

    /// - Parameter timestamp: The value of `backlog_timestamp`: `none`, `time` or `datetime`.
    package static func start(server: Int, timestamp: String) async throws -> BipBouncer {
        guard let tool = Tool.find("bip") else { throw WaitedInVain(description: "there is no bip") }
        let (folder, port) = (try TemporaryFolder(), try IRCServer.freePort())
        let file = folder.path + "/bip.conf"
        try configuration(folder.path, port: port, server: server, timestamp: timestamp)
            .write(toFile: file, atomically: false, encoding: .utf8)
        // bip refuses a configuration that others may read.
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        let run = try tool.start(["-n", "-f", file])
        try await eventually("bip listens", state: { run.output + run.errors }) { () -> Bool? in
            guard run.isRunning else { throw WaitedInVain(description: "bip ended: \(run.output) \(run.errors)") }
            return (try? ChatSocket(port: port)) != nil ? true : nil
        }
        return BipBouncer(port: port, run: run, folder: folder)
    }

    /// The password is the output of `bipmkpw` for `secret`: a random salt, and MD5.
    private static func configuration(_ folder: String, port: Int, server: Int, timestamp: String) -> String {
        """
        ip = "127.0.0.1";
        port = \(port);
        client_side_ssl = false;
        log_root = "\(folder)/logs/";
        pid_file = "\(folder)/bip.pid";
        log_level = 1;
        network {
            name = "example";
            server { host = "127.0.0.1"; port = \(server); };
        };
        user {
            name = "minsu";
            password = "4fd7ab8c5cb6f0ffc8d035363c07924ee679ed76";
            default_nick = "minsu";
            default_user = "minsu";
            default_realname = "minsu";
            backlog = true;
            backlog_lines = 20;
            backlog_always = true;
            backlog_timestamp = "\(timestamp)";
            connection {
                name = "example";
                network = "example";
                ignore_first_nick = true;
                channel { name = "#room"; };
            };
        };

        """
    }
}
