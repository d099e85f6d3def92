import Foundation

/// A self-signed TLS certificate, created by `openssl`. Its files are removed with the value.
package struct Certificate: Sendable {
    /// The path of the certificate, in PEM.
    package let file: String
    package let keyFile: String
    /// The SHA-256 of the certificate, as 64 hexadecimal digits in lower case.
    package let fingerprint: String
    private let folder: TemporaryFolder

    package static var isAvailable: Bool { Tool.find("openssl") != nil }

    /// - Parameter name: The name of the host in the certificate.
    package init(_ name: String = "localhost") async throws {
        folder = try TemporaryFolder()
        (file, keyFile) = (folder.path + "/certificate.pem", folder.path + "/key.pem")
        _ = try await Self.openssl([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", keyFile,
            "-out", file, "-days", "2", "-subj", "/CN=\(name)", "-addext", "subjectAltName=DNS:\(name)",
        ])
        fingerprint = try await Self.fingerprint(file)
    }

    /// Creates a certificate that is valid between two times, such as `20190101000000Z`.
    package init(from: String, until: String) async throws {
        folder = try TemporaryFolder()
        (file, keyFile) = (folder.path + "/certificate.pem", folder.path + "/key.pem")
        let (request, settings) = (folder.path + "/request.pem", folder.path + "/ca.cnf")
        _ = try await Self.openssl([
            "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", keyFile,
            "-out", request, "-subj", "/CN=localhost",
        ])
        try """
        [ca]
        default_ca = own
        [own]
        database = \(folder.path)/index.txt
        serial = \(folder.path)/serial
        new_certs_dir = \(folder.path)
        default_md = sha256
        policy = any
        [any]
        commonName = supplied

        """.write(toFile: settings, atomically: false, encoding: .utf8)
        try "".write(toFile: folder.path + "/index.txt", atomically: false, encoding: .utf8)
        try "01\n".write(toFile: folder.path + "/serial", atomically: false, encoding: .utf8)
        _ = try await Self.openssl([
            "ca", "-batch", "-config", settings, "-selfsign", "-keyfile", keyFile, "-in", request, "-startdate", from,
            "-enddate", until, "-notext", "-out", file,
        ])
        fingerprint = try await Self.fingerprint(file)
    }

    private static func fingerprint(_ file: String) async throws -> String {
        let text = try await Self.openssl(["x509", "-noout", "-fingerprint", "-sha256", "-in", file])
        return (text.split(separator: "=").last ?? "").filter(\.isHexDigit).lowercased()
    }

    private static func openssl(_ arguments: [String]) async throws -> String {
        guard let tool = Tool.find("openssl") else { throw WaitedInVain(description: "there is no openssl") }
        let result = try await tool.run(arguments)
        guard result.status == 0 else { throw WaitedInVain(description: result.errors) }
        return result.output
    }
}
