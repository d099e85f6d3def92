/// A failure of the shared archive that is not the server's.
package enum SharedArchiveError: Error, Hashable, CustomStringConvertible {
    /// The server has no schema `scrollback`.
    case missing
    /// A newer program made the server's schema.
    case newer(Int)
    /// An older program made the server's schema.
    case older(Int)
    /// Another worker replicates the account.
    case busy(account: String)

    package var description: String {
        switch self {
        case .missing:
            "the PostgreSQL database has no shared archive; make it with: scrollback replicate --init"
        case .newer(let version):
            "the shared archive has schema \(version), but this scrollback knows only \(SharedSchema.current); install the newer scrollback"
        case .older(let version):
            "the shared archive has schema \(version), but this scrollback needs \(SharedSchema.current); bring it there with: scrollback replicate --init"
        case .busy(let account):
            "another worker replicates account '\(account)'"
        }
    }
}
