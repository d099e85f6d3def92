package import ChatModel
package import SLPWire

/// The keys of an account of the network `slp`; see `docs/configuration.md`.
package struct SLPSettings: Sendable, Hashable {
    /// Nil for a setting that could not be read.
    package var server: HTTPOrigin?
    /// The generation of the service; nil to detect it.
    package var generation: SLPGeneration?
    package var email: String
    /// The password; nil to use only the stored tokens, without logging in.
    package var password: Secret?
    package var appKey: Secret?
    /// The trusted authorities in PEM; nil for the machine's.
    package var authorities: [UInt8]?
    package var channels: [String]
    package var checkInterval: Duration
    package var signOfLifeInterval: Duration
    /// The bytes that may wait to be stored before reading stops.
    package var bufferBytes: Int
    package var files: AttachmentSettings

    /// Reads the account's table. Leaves every problem in `table`; a wrong setting has its default.
    package init(_ table: inout TableReader) {
        server = table.server(
            expected: "https://HOST or https://HOST:PORT", { HTTPOrigin($0, optionalPath: SLPRoute.base) },
            isSafe: { $0.isSecure || $0.isLoopback })
        generation = table.optionalInteger("generation", in: 1...2).flatMap(SLPGeneration.init(rawValue:))
        email = table.requiredString("email", expected: "the account's e-mail address") ?? ""
        password = Secret.read("password", &table)
        appKey = Secret.read("app_key", &table)
        if appKey == nil, !table.hasProblem(with: "app_key_file", "app_key_env") {
            table.reportMissing(
                "app_key_file", expected: "app_key_file or app_key_env (the key of the service's own app)")
        }
        authorities = table.pem(.authorities)
        channels = table.strings("channels")
        checkInterval = .seconds(60 * table.integer("check_minutes", in: 1...1440, default: 10))
        signOfLifeInterval = table.signOfLifeInterval()
        bufferBytes = table.bufferBytes()
        files = AttachmentSettings(&table)
    }
}
