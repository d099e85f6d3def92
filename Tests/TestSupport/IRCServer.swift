import Foundation

/// A real IRC server with its own port and configuration. It is killed when the value is released.
///
///     @Test(.enabled(if: IRCServer.Kind.ngircd.isAvailable, "needs ngircd, which .ci/fetch-tools fetches"))
package struct IRCServer: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        /// RFC 1459 with few extensions: no times, no ids, no history.
        case ngircd
        /// Most of IRCv3.
        case inspircd

        package var isAvailable: Bool { Tool.find(rawValue) != nil }
    }

    package let port: Int
    package let run: Run
    private let folder: TemporaryFolder

    /// - Parameters:
    ///   - port: Nil for any free port.
    ///   - more: Further lines of the server's configuration.
    package static func start(_ kind: Kind, port: Int? = nil, more: String = "") async throws -> IRCServer {
        guard let tool = Tool.find(kind.rawValue) else { throw WaitedInVain(description: "there is no \(kind)") }
        let folder = try TemporaryFolder()
        let port = try port ?? freePort()
        let file = folder.path + "/server.conf"
        try (configuration(kind, port: port, root: tool.root) + "\n" + more)
            .write(toFile: file, atomically: false, encoding: .utf8)
        let isRoot = getuid() == 0
        let arguments =
            switch kind {
            case .ngircd: ["--nodaemon", "--config", file]
            case .inspircd: ["--nofork", "--nopid", "--config=\(file)"] + (isRoot ? ["--runasroot"] : [])
            }
        let run = try tool.start(arguments)
        try await eventually("\(kind) listens", state: { run.output + run.errors }) { () -> Bool? in
            guard run.isRunning else { throw WaitedInVain(description: "\(kind) ended: \(run.output) \(run.errors)") }
            return (try? ChatSocket(port: port)) != nil ? true : nil
        }
        return IRCServer(port: port, run: run, folder: folder)
    }

    /// Returns a port that is free now, for servers that can't choose one themselves.
    static func freePort() throws -> Int {
        try RawServer().port
    }

    private static func configuration(_ kind: Kind, port: Int, root: String) -> String {
        switch kind {
        case .ngircd:
            """
            [Global]
            Name = irc.example
            Info = A server of a test
            Listen = 127.0.0.1
            Ports = \(port)
            MotdPhrase = hello
            ServerUID = \(getuid())
            ServerGID = \(getgid())
            [Limits]
            MaxConnectionsIP = 0
            MaxJoins = 50
            MaxPenaltyTime = 0
            PingTimeout = 120
            PongTimeout = 60
            [Options]
            DNS = no
            Ident = no
            PAM = no
            """
        case .inspircd:
            """
            <config format="xml">
            <server name="irc.example" description="A server of a test" network="ExampleNet" id="97K">
            <admin name="admin" nick="admin" email="admin@example.net">
            <bind address="127.0.0.1" port="\(port)" type="clients">
            <connect allow="*" timeout="60" pingfreq="120" hardsendq="1M" softsendq="128K" recvq="64K" threshold="1000"
              commandrate="100000" fakelag="off" localmax="100" globalmax="100" resolvehostnames="no" useident="no">
            <performance nouserdns="yes">
            <path moduledir="\(moduleFolder(root))">
            <module name="cap"><module name="ircv3"><module name="ircv3_batch"><module name="ircv3_capnotify">
            <module name="ircv3_ctctags"><module name="ircv3_echomessage"><module name="ircv3_invitenotify">
            <module name="ircv3_labeledresponse"><module name="ircv3_msgid"><module name="ircv3_servertime">
            <module name="namesx"><module name="uhnames"><module name="chanhistory"><module name="sajoin">
            <chanhistory bots="yes" enableumode="no" maxduration="1h" maxlines="50" prefixmsg="no">
            """
        }
    }

    private static func moduleFolder(_ root: String) -> String {
        let base = root == "/" ? "" : root
        let folders = ["/usr/lib/\(machine)/inspircd", "/usr/lib/inspircd/modules"].map { base + $0 }
        return folders.first(where: FileManager.default.fileExists) ?? folders[0]
    }

    /// The machine's name in Debian's paths.
    static var machine: String {
        #if arch(arm64)
            "aarch64-linux-gnu"
        #else
            "x86_64-linux-gnu"
        #endif
    }
}
