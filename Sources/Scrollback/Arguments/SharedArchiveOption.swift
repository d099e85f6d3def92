import Accounts
import Options
import Reading

/// The option for a shared archive in place of the data folder's accounts.
struct SharedArchiveOption: ParsableArguments {
    @Option(
        "archive", help: "Read a shared archive (postgres://HOST/DATABASE) in place of the data folder.",
        valueName: "address")
    var sharedAddress: String?

    /// The address; nil for the data folder.
    var address: SharedAddress? { get throws { try sharedAddress.map { try SharedAddress(argument: $0) } } }

    /// The shared archive; nil for the data folder.
    var archive: SharedArchive? { get throws { try address.map(SharedArchive.init) } }

    var given: [String] { sharedAddress.map { ["--archive", $0] } ?? [] }
}
