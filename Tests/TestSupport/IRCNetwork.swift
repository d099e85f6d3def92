import Foundation

/// A real IRC server with TLS (inspircd), and services (atheme) for logins.
package struct IRCNetwork: Sendable {
    package let server: IRCServer
    /// The port with TLS and ``certificate``.
    package let securePort: Int
    package let certificate: Certificate
    private let services: Run?
    private let folder: TemporaryFolder

    package static var hasTLS: Bool { IRCServer.Kind.inspircd.isAvailable && Certificate.isAvailable }
    package static var hasServices: Bool { hasTLS && Tool.find(program) != nil }

    private static let program = "atheme-services"

    /// - Parameter host: The host's name in the server's certificate.
    package static func start(host: String = "localhost", hasServices: Bool = false) async throws -> IRCNetwork {
        let folder = try TemporaryFolder()
        let certificate = try await Certificate(host)
        let (secure, link) = (try IRCServer.freePort(), try IRCServer.freePort())
        let server = try await IRCServer.start(
            .inspircd,
            more: """
                <module name="ssl_gnutls"><module name="sslinfo"><module name="spanningtree">
                <module name="services_account"><module name="sasl">
                <sslprofile name="own" provider="gnutls" certfile="\(certificate.file)" keyfile="\(certificate.keyFile)"
                  requestclientcert="yes" hash="sha256">
                <bind address="127.0.0.1" port="\(secure)" type="clients" sslprofile="own">
                <bind address="127.0.0.1" port="\(link)" type="servers">
                <link name="services.example" ipaddr="127.0.0.1" port="\(link)" allowmask="127.0.0.0/8"
                  sendpass="linked" recvpass="linked">
                <uline server="services.example" silent="yes">
                <sasl target="services.example" requiressl="no">
                """)
        let services = hasServices ? try await startServices(port: link, folder.path) : nil
        return IRCNetwork(
            server: server, securePort: secure, certificate: certificate, services: services, folder: folder)
    }

    private static func startServices(port: Int, _ folder: String) async throws -> Run {
        guard let tool = Tool.find(program) else { throw WaitedInVain(description: "there is no \(program)") }
        let file = folder + "/services.conf"
        try configuration(port: port, root: tool.root).write(toFile: file, atomically: false, encoding: .utf8)
        let run = try tool.start(["-n", "-c", file, "-p", folder + "/pid", "-D", folder, "-l", folder + "/log"])
        try await eventually("the services are linked", state: { run.output + run.errors }) { () -> Bool? in
            guard run.isRunning else { throw WaitedInVain(description: "they ended: \(run.output) \(run.errors)") }
            return (run.output + run.errors).contains("finished synching") ? true : nil
        }
        return run
    }

    /// Returns the configuration of the services. It has the paths of modules, each after the ones that it needs,
    /// because the program looks for other names in Debian's folder.
    private static func configuration(port: Int, root: String) -> String {
        let folder = (root == "/" ? "" : root) + "/usr/lib/\(IRCServer.machine)/atheme/modules/"
        let modules = [
            "transport/rfc1459", "protocol/base36uid", "protocol/inspircd", "backend/corestorage", "backend/opensex",
            "nickserv/main", "nickserv/register", "nickserv/cert", "saslserv/main", "saslserv/plain",
            "saslserv/external",
        ]
        let loading = modules.map { "loadmodule \"\(folder)\($0)\";\n" }.joined()
        return loading + """
            serverinfo {
                name = "services.example"; desc = "Services of a test"; numeric = "00A"; netname = "ExampleNet";
                adminname = "admin"; adminemail = "admin@example.net"; registeremail = "admin@example.net";
                mta = "/bin/true"; loglevel = { error; info; network; }; maxlogins = 100; maxusers = 0; mdlimit = 30;
                emaillimit = 100; emailtime = 300; auth = none; casemapping = rfc1459; recontime = 1;
            };
            uplink "irc.example" {
                host = "127.0.0.1"; port = \(port); send_password = "linked"; receive_password = "linked";
            };
            nickserv { nick = "NickServ"; user = "NickServ"; host = "services.example"; real = "NickServ"; };
            saslserv { nick = "SaslServ"; user = "SaslServ"; host = "services.example"; real = "SaslServ"; };
            """
    }

    /// Registers a user with the services.
    ///
    /// - Parameter certificate: The certificate whose owner may log in without the password; nil for none.
    package func register(_ nick: String, password: String, certificate: Certificate? = nil) async throws {
        let owner = try await IRCTalker(nick, port: server.port)
        try owner.say("REGISTER \(password) \(nick)@example.net", to: "NickServ")
        try await owner.waitFor("is now registered")
        guard let certificate else { return }
        try owner.say("CERT ADD \(certificate.fingerprint)", to: "NickServ")
        try await owner.waitFor("Added fingerprint")
    }
}
