import Foundation
package import Listeners
import SLPWire

/// The keys of an account of the network `slp`; see `docs/configuration.md`.
package struct SLPSettings: Sendable, Hashable {
    /// Nil for a setting that could not be read.
    package var server: SLPOrigin?
    /// The generation of the service; nil to detect it.
    var generation: SLPGeneration?
    var email: String
    /// The password; nil to use only the stored tokens, without logging in.
    var password: Secret?
    var appKey: Secret?
    /// The trusted authorities; nil for the machine's.
    var authorities: SLPAuthorities?
    var channels: [String]
    var checkInterval: Duration
    var signOfLifeInterval: Duration
    /// The bytes that may wait to be stored before reading stops.
    var bufferBytes: Int
    /// The files that the listener fetches.
    package var attachments: Attachments
    /// The largest file to fetch, in bytes.
    package var attachmentSizeLimit: Int64

    /// The files that the listener fetches without a request.
    package enum Attachments: String, Sendable, CaseIterable {
        case none, all
    }

    /// Reads the account's table. Leaves every problem in `table`; a wrong setting has its default.
    init(_ table: inout TableReader) {
        server = table.server(
            expected: "https://HOST or https://HOST:PORT", SLPOrigin.init, isSafe: { $0.isSecure || $0.isLoopback })
        generation = table.optionalInteger("generation", in: 1...2).flatMap(SLPGeneration.init(rawValue:))
        email = table.requiredString("email", expected: "the account's e-mail address") ?? ""
        password = Secret.read("password", &table)
        appKey = Secret.read("app_key", &table)
        if appKey == nil, !table.hasProblem(with: "app_key_file", "app_key_env") {
            table.reportMissing(
                "app_key_file", expected: "app_key_file or app_key_env (the key of the service's own app)")
        }
        authorities = Self.authorities(&table)
        channels = table.strings("channels")
        checkInterval = .seconds(60 * table.integer("check_minutes", in: 1...1440, default: 10))
        signOfLifeInterval = .seconds(table.integer("sign_of_life_seconds", in: 1...3600, default: 10))
        bufferBytes = table.integer("buffer_bytes", in: 65_536...1_073_741_824, default: 4_194_304)
        attachments = table.choice("attachments", default: .none)
        attachmentSizeLimit =
            table.byteCount("attachment_size_limit", shownDefault: "20MB") ?? AttachmentLimits.defaultBytes
    }

    /// 4 MiB. All authorities of a machine have 250 KB.
    private static let authoritiesBytes = 4 * 1024 * 1024

    private static func authorities(_ table: inout TableReader) -> SLPAuthorities? {
        guard let name = table.string("ca_file") else { return nil }
        let path = table.resolve(name)
        guard let file = FileHandle(forReadingAtPath: path),
            let bytes = try? file.read(upToCount: authoritiesBytes) ?? Data()
        else {
            table.report(
                "ca_file", expected: "a readable file", found: TableReader.quote(path) + TableReader.unreadable(path))
            return nil
        }
        guard let authorities = SLPAuthorities(pem: Array(bytes)) else {
            table.report(
                "ca_file", expected: "certificates in PEM (-----BEGIN CERTIFICATE-----)",
                found: "\(TableReader.quote(path)), which is not valid")
            return nil
        }
        return authorities
    }
}
