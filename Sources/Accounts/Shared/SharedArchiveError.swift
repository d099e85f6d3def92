/// A failure of the shared archive that is not the server's.
package enum SharedArchiveError: Error, Hashable, CustomStringConvertible {
    /// The server has no schema `scrollback`.
    case missing
    /// A newer program created the server's schema, with this version.
    case newer(Int)
    /// An older program created the server's schema, with this version.
    case older(Int)
    /// The schema was made without roles.
    case noRoles
    /// Another worker replicates the account.
    case busy(account: String)

    package var description: String {
        switch self {
        case .missing: "the PostgreSQL database has no shared archive"
        case .newer(let version):
            "the shared archive has schema \(version), but this scrollback supports only \(SharedSchema.current)"
        case .older(let version):
            "the shared archive has schema \(version), but this scrollback needs \(SharedSchema.current)"
        case .noRoles: "the shared archive has no roles"
        case .busy(let account): "another process copies account '\(account)' now"
        }
    }
}
