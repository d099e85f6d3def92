import Accounts
import PostgreSQL
import Rendering
import Schema

/// An error of PostgreSQL or of the shared archive, with its code and advice.
func SharedArchiveFailure(_ error: any Error) -> (any Error)? {
    switch error {
    case let error as PostgreSQLError:
        CommandError(.postgresql, Sanitizer.line(error.detail), hint: hint(for: error))
    case let error as SharedArchiveError:
        switch error {
        case .missing: CommandError(.noSharedArchive, "\(error)", hint: "create its tables with: \(initialise)")
        case .noRoles: CommandError(.noSharedArchive, "\(error)", hint: "create them with: \(initialise) --with-roles")
        case .busy: CommandError(.postgresql, Sanitizer.line("\(error)"), hint: "try again later")
        case .older(let version):
            CommandError(
                .sharedSchema, "\(error)",
                hint: (version < SharedSchema.first ? "with \(Schema.lastBuild), " : "")
                    + "upgrade it with: \(initialise)")
        case .newer: CommandError(.sharedSchema, "\(error)", hint: "use the newer scrollback")
        }
    default: nil
    }
}

private let initialise = "scrollback replicate --init postgres://HOST/DATABASE"

private func hint(for error: PostgreSQLError) -> String? {
    switch error.kind {
    case .library: nil
    case .connection, .timeout: "check the address, and that the server runs"
    case .statement("28P01"), .statement("28000"): "libpq reads passwords from ~/.pgpass"
    case .statement("42501"): "the user of the address needs more rights: docs/shared-archive.md"
    case .statement, .value: "nothing was changed by this step; docs/shared-archive.md"
    }
}
