package import ChatModel
import MatrixWire
package import Networks

/// The keys of an account of the network `matrix`; see `docs/configuration.md`.
package struct MatrixSettings: Sendable, Hashable {
    /// Nil for a setting that could not be read.
    package var server: HTTPOrigin?
    package var user: String
    /// The password; nil to use only a token.
    package var password: Secret?
    /// An access token that a person made; nil to log in.
    package var token: Secret?
    /// The token of a single sign-on's page, for one login.
    package var loginToken: Secret?
    /// The recovery key, which opens the account's key backup; nil to read no encrypted messages.
    package var recoveryKey: Secret?
    /// The passphrase in place of the recovery key.
    package var recoveryPassphrase: Secret?
    /// The age to which history is fetched at the first contact with a room; nil for all of it.
    package var historyDays: Int?
    package var bufferBytes: Int
    package var files: AttachmentSettings
    /// The trusted authorities in PEM; nil for the machine's.
    package var authorities: [UInt8]?

    private static let defaultDays = 30

    /// Reads the account's table. Leaves every problem in `table`; a wrong setting has its default.
    package init(_ table: inout TableReader) {
        server = table.server(
            expected: "https://HOST or https://HOST:PORT", { HTTPOrigin($0) }, isSafe: { $0.isSecure || $0.isLoopback })
        user = table.requiredString("user", expected: "the account's name, such as @alice:example.org") ?? ""
        password = Secret.read("password", &table)
        token = Secret.read("token", &table)
        loginToken = Secret.read("login_token", &table)
        recoveryKey = Self.recoveryKey(&table)
        recoveryPassphrase = Secret.read("recovery_passphrase", &table)
        historyDays = table.integer("history_days", in: 0...36_500, default: Self.defaultDays)
        files = AttachmentSettings(&table)
        authorities = table.pem(.authorities)
        bufferBytes = table.bufferBytes()
    }

    /// Reads the recovery key, and reports one with a typing error.
    private static func recoveryKey(_ table: inout TableReader) -> Secret? {
        guard let secret = Secret.read("recovery_key", &table) else { return nil }
        do throws(DecryptionError) {
            _ = try RecoveryKey(text: secret.value)
            return secret
        } catch {
            table.report(
                secret.file == nil ? "recovery_key_env" : "recovery_key_file",
                expected: "a recovery key, such as EsTc … (12 groups of 4 characters)",
                found: "another text: \(error.reason)")
            return nil
        }
    }
}

extension MatrixSettings: NetworkSettings {
    package static let traits = NetworkTraits.matrix
    package static let capabilities: NetworkCapabilities = [.files, .unread]
    /// The sync, four calls for history, a login, and two files with their sockets.
    package static let socketCount = 12

    package static let liveKeys: [ComparedKey<Self>] = [
        .init("history_days", \.historyDays), .init("attachments", \.files.fetched),
        .init("buffer_bytes", \.bufferBytes),
        .init("password_file", \.password, isSame: Secret.isInPlace),
        .init("token_file", \.token, isSame: Secret.isInPlace),
        .init("login_token_file", \.loginToken, isSame: Secret.isInPlace),
        .init("recovery_key_file", \.recoveryKey, isSame: Secret.isInPlace),
        .init("recovery_passphrase_file", \.recoveryPassphrase, isSame: Secret.isInPlace),
    ]

    package static let fixedKeys: [ComparedKey<Self>] = [
        .init("server", \.server), .init("attachment_size_limit", \.files.sizeLimit), .init("ca_file", \.authorities),
        .init("user", \.user), .init("password_file", \.password, isSame: Secret.isThere),
        .init("token_file", \.token, isSame: Secret.isThere),
        .init("login_token_file", \.loginToken, isSame: Secret.isThere),
        .init("recovery_key_file", \.recoveryKey, isSame: Secret.isThere),
        .init("recovery_passphrase_file", \.recoveryPassphrase, isSame: Secret.isThere),
    ]

    package var fileSizeLimit: Int64? { files.sizeLimit }

    package static let questions: [SetupQuestion] = [
        SetupQuestion(key: "server", words: "Homeserver (https://HOST)"),
        SetupQuestion(key: "user", words: "Your name (@NAME:HOST)"),
        SetupQuestion(key: "password", words: "Password", kind: .secret(isRequired: false)),
        SetupQuestion(
            key: "recovery_key", words: "Recovery key, to read encrypted rooms", kind: .secret(isRequired: false)),
    ]

    package static let template = makeTemplate(
        for: "Matrix", name: "matrix",
        keys: """
            # BLANK: the homeserver's address, for example https://matrix.example.org.
            server = ""

            # BLANK: the account's name, for example @alice:example.org.
            user = ""

            # A file with the password in its first line. Only you may read the file (chmod 600). The path is relative to
            # this file. Instead, password_env names an environment variable.
            password_file = "matrix.password"

            # In place of a password: a file with an access token, or with the token that a single sign-on shows.
            # token_file = "matrix.token"
            # login_token_file = "matrix.login"

            # To read encrypted rooms: a file with your recovery key (EsTc …), or with the passphrase of your key backup.
            # recovery_key_file = "matrix.recovery"
            # recovery_passphrase_file = "matrix.passphrase"

            \(ConfigurationTemplate.authorities("matrix.pem"))

            # How many days of history to fetch when the archiver first sees a room.
            # history_days = 30

            \(ConfigurationTemplate.attachments)

            \(ConfigurationTemplate.buffer())

            """)
}
