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
        let text = try await Self.openssl(["x509", "-noout", "-fingerprint", "-sha256", "-in", file])
        fingerprint = (text.split(separator: "=").last ?? "").filter(\.isHexDigit).lowercased()
    }

    private static func openssl(_ arguments: [String]) async throws -> String {
        guard let tool = Tool.find("openssl") else { throw WaitedInVain(description: "there is no openssl") }
        let result = try await tool.run(arguments)
        guard result.status == 0 else { throw WaitedInVain(description: result.errors) }
        return result.output
    }
}
