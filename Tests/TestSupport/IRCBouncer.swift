import Foundation

/// A real bouncer (znc) of `minsu`, who is in #room of a server. It is killed when the value is released.
package struct IRCBouncer: Sendable {
    /// The password of its clients.
    package static let password = "minsu/example:secret"

    package let port: Int
    package let run: Run
    private let folder: TemporaryFolder

    package static var isAvailable: Bool { Tool.find("znc") != nil }
    /// False for root where the machine refuses user namespaces, as some containers do.
    package static let maySwitchUser: Bool = {
        guard getuid() == 0 else { return true }
        guard let unshare = Tool.find("unshare") else { return false }
        let probe = Process()
        probe.executableURL = URL(filePath: unshare.path)
        probe.arguments = ["--user", "true"]
        (probe.standardInput, probe.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        guard (try? probe.run()) != nil else { return false }
        probe.waitUntilExit()
        return probe.terminationStatus == 0
    }()

    /// - Parameter playsAll: True to play all stored messages at each connection; false for only the messages from the
    ///   time without a client.
    package static func start(server: Int, playsAll: Bool) async throws -> IRCBouncer {
        guard let command, let tool = Tool.find("znc") else { throw WaitedInVain(description: "there is no znc") }
        let (folder, port) = (try TemporaryFolder(), try IRCServer.freePort())
        try FileManager.default.createDirectory(
            atPath: folder.path + "/configs", withIntermediateDirectories: false)
        // znc looks for modules in Debian's folder and here. Without modules, it asks a question.
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/modules",
            withDestinationPath: (tool.root == "/" ? "" : tool.root) + "/usr/lib/znc")
        try configuration(port: port, server: server, playsAll: playsAll)
            .write(toFile: folder.path + "/configs/znc.conf", atomically: false, encoding: .utf8)
        let run = try command.tool.start(command.arguments + ["--foreground", "--datadir", folder.path])
        try await eventually("znc listens", state: { run.output + run.errors }) { () -> Bool? in
            guard run.isRunning else { throw WaitedInVain(description: "znc ended: \(run.output) \(run.errors)") }
            return (try? ChatSocket(port: port)) != nil ? true : nil
        }
        return IRCBouncer(port: port, run: run, folder: folder)
    }

    /// The command to start znc. As root, znc waits 30 s before it starts, so the command runs it as the user nobody.
    private static var command: (tool: Tool, arguments: [String])? {
        guard let znc = Tool.find("znc") else { return nil }
        guard getuid() == 0 else { return (znc, []) }
        guard let unshare = Tool.find("unshare") else { return nil }
        return (Tool(path: unshare.path, root: "/", environment: znc.environment), ["--user", znc.path])
    }

    private static func configuration(port: Int, server: Int, playsAll: Bool) -> String {
        """
        Version = 1.8.2
        AnonIPLimit = 100
        ServerThrottle = 1
        ConnectDelay = 1
        <Listener l>
            Port = \(port)
            Host = 127.0.0.1
            IPv4 = true
            IPv6 = false
            SSL = false
        </Listener>
        <User minsu>
            Pass = plain#secret
            Nick = minsu
            AltNick = minsu_
            Ident = minsu
            RealName = minsu
            AutoClearChanBuffer = \(!playsAll)
            AutoClearQueryBuffer = \(!playsAll)
            Buffer = 50
            <Network example>
                Server = 127.0.0.1 \(server)
                <Chan #room>
                </Chan>
            </Network>
        </User>
        """
    }
}
