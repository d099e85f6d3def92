import Foundation

/// An authority for tests and its certificates, created by `openssl`. Its files are removed with the value.
package struct CertificateAuthority: Sendable {
    /// An issued certificate and its key, as paths of PEM files.
    package struct Issued: Sendable {
        package let file: String
        package let keyFile: String

        package init(file: String, keyFile: String) {
            (self.file, self.keyFile) = (file, keyFile)
        }
    }

    /// The path of the authority's own certificate, in PEM.
    package let file: String
    private let key: String
    private let folder: TemporaryFolder

    /// Creates a self-signed authority.
    package init(_ name: String = "Authority of a test") async throws {
        let folder = try TemporaryFolder()
        let own = Issued(file: folder.path + "/ca.pem", keyFile: folder.path + "/ca.key")
        try await Self.openssl(
            ["req", "-x509", "-days", "2", "-out", own.file, "-subj", "/CN=\(name)"] + Self.newKey(own.keyFile)
                + Self.authority)
        self.init(own, in: folder)
    }

    private init(_ own: Issued, in folder: TemporaryFolder) {
        (file, key, self.folder) = (own.file, own.keyFile, folder)
    }

    /// Returns an authority whose certificate this one signs.
    package func intermediate() async throws -> CertificateAuthority {
        let own = try await issueValidNow(commonName: "Intermediate", Self.authority)
        return CertificateAuthority(own, in: folder)
    }

    /// Issues a server's certificate.
    ///
    /// - Parameters:
    ///   - names: The alternative names in openssl's form: `DNS:localhost`, `IP:127.0.0.1`. Empty for none.
    ///   - dates: The beginning and the end of its validity, as `20200101000000Z`; nil for a certificate that is valid
    ///     now.
    package func issue(
        _ names: [String], commonName: String = "a server", dates: (from: String, to: String)? = nil
    ) async throws -> Issued {
        let names = names.isEmpty ? [] : ["-addext", "subjectAltName=" + names.joined(separator: ",")]
        guard let dates else { return try await issueValidNow(commonName: commonName, names) }
        return try await issueDated(commonName: commonName, names, dates)
    }

    private static let authority = [
        "-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign",
    ]

    private static func newKey(_ path: String) -> [String] {
        ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", path]
    }

    private func unnamed() -> Issued {
        let path = folder.path + "/" + UUID().uuidString
        return Issued(file: path + ".pem", keyFile: path + ".key")
    }

    private func issueValidNow(commonName: String, _ extensions: [String]) async throws -> Issued {
        let issued = unnamed()
        try await Self.openssl(
            [
                "req", "-x509", "-days", "2", "-CA", file, "-CAkey", key, "-out", issued.file, "-subj",
                "/CN=\(commonName)",
            ]
                + Self.newKey(issued.keyFile) + extensions)
        return issued
    }

    /// Issues a certificate. `openssl req` can't set dates in the past; `openssl ca` can, and keeps a list of
    /// certificates.
    private func issueDated(
        commonName: String, _ extensions: [String], _ dates: (from: String, to: String)
    ) async throws -> Issued {
        let issued = unnamed()
        let (list, request, configuration) = (issued.file + ".list", issued.file + ".csr", issued.file + ".conf")
        try Data().write(to: URL(fileURLWithPath: list))
        try """
        [ca]
        default_ca = test
        [test]
        database = \(list)
        new_certs_dir = \(folder.path)
        rand_serial = yes
        default_md = sha256
        policy = any
        copy_extensions = copy
        [any]
        commonName = supplied
        """.write(toFile: configuration, atomically: false, encoding: .utf8)
        try await Self.openssl(
            ["req", "-new", "-out", request, "-subj", "/CN=\(commonName)"] + Self.newKey(issued.keyFile) + extensions)
        try await Self.openssl([
            "ca", "-batch", "-notext", "-config", configuration, "-cert", file, "-keyfile", key, "-in", request, "-out",
            issued.file, "-startdate", dates.from, "-enddate", dates.to,
        ])
        return issued
    }

    private static func openssl(_ arguments: [String]) async throws {
        guard let tool = Tool.find("openssl") else { throw WaitedInVain(description: "there is no openssl") }
        let result = try await tool.run(arguments)
        guard result.status == 0 else { throw WaitedInVain(description: result.errors) }
    }
}
