import Files
import Options

/// The option with the secret keys for encrypted accounts.
struct IdentityOption: ParsableArguments {
    @Option(
        "identity",
        help: "A file with the secret key for encrypted accounts, as age takes it (default: SCROLLBACK_IDENTITY_FILE).",
        valueName: "file", completion: .file())
    var identity: [String] = []

    var identities: AgeIdentities { identity.isEmpty ? .environment : AgeIdentities(files: identity) }

    var given: [String] { identity.flatMap { ["--identity", $0] } }
}

/// The options with the public keys to encrypt to.
struct RecipientOptions: ParsableArguments {
    @Option("recipient", help: "Encrypt to this public key: age1… or an ssh one. May be repeated.", valueName: "key")
    var recipient: [String] = []

    @Option(
        "recipients-file", help: "Encrypt to the public keys of this file, one a line.", valueName: "file",
        completion: .file())
    var recipientsFile: [String] = []

    /// Returns the public keys; nil if none are given.
    func recipients() throws -> AgeRecipients? { try AgeRecipients(recipient, files: recipientsFile) }
}
