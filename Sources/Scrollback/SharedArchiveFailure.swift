import PostgreSQL
import Rendering
import Replication

/// An error of PostgreSQL or of the shared archive, with its code and advice.
func SharedArchiveFailure(_ error: any Error) -> (any Error)? {
    switch error {
    case let error as PostgreSQLError:
        CommandError(.postgresql, Sanitizer.line(error.detail), hint: hint(for: error))
    case let error as SharedArchiveError:
        switch error {
        case .missing:
            CommandError(
                .noSharedArchive, "the PostgreSQL database has no shared archive",
                hint: "create its tables with: scrollback replicate --init postgres://HOST/DATABASE")
        case .busy(let account):
            CommandError(
                .postgresql, "another process copies account \"\(Sanitizer.line(account))\" now",
                hint: "try again later")
        case .older(let version):
            CommandError(
                .sharedSchema,
                "the shared archive has schema \(version), but this scrollback needs \(SharedSchema.current)",
                hint: "upgrade it with: scrollback replicate --init postgres://HOST/DATABASE")
        case .newer(let version):
            CommandError(
                .sharedSchema,
                "the shared archive has schema \(version), but this scrollback supports only \(SharedSchema.current)",
                hint: "use the newer scrollback")
        }
    default: nil
    }
}

private func hint(for error: PostgreSQLError) -> String? {
    switch error.kind {
    case .library: nil
    case .connection, .timeout: "check the address, and that the server runs"
    case .statement("28P01"), .statement("28000"): "libpq reads passwords from ~/.pgpass"
    case .statement("42501"): "the user of the address needs more rights: docs/shared-archive.md"
    case .statement, .value: "nothing was changed by this step; docs/shared-archive.md"
    }
}
