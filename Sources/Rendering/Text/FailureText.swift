import ChatModel
import Files

/// Returns texts about errors for people: the mistake, its place, and advice.
package enum FailureText {
    /// Returns a sentence; nil for errors that have their own text.
    package static func sentence(for error: any Error) -> String? {
        if let error = error as? QueryError { return error.detail }
        return parts(of: error).map { "\($0.text) [\($0.code)]" }
    }

    /// Returns the text for people and the code of an error; nil for an error without a code.
    static func parts(of error: any Error) -> (text: String, code: String)? {
        switch error {
        case let error as any CodedError: ("\(error)", error.codeName)
        case let error as ArchiveError:
            ("\(Sanitizer.line(error.detail)); \(error.hint ?? hint(error))", error.code.rawValue)
        default: nil
        }
    }

    /// Returns advice for a name that no account has: the names that are near, and where all are listed.
    package static func advice(account: String, known: [String]) -> String {
        let nearest = NearNames.question(for: account, among: known).map { "\($0) " } ?? ""
        return nearest + "\"scrollback accounts\" lists them"
    }

    private static func hint(_ error: ArchiveError) -> String {
        error.missing.map { advice(account: $0.account, known: $0.known) } ?? hint(error.code)
    }

    private static func hint(_ code: ArchiveError.Code) -> String {
        switch code {
        case .noArchive: EmptyResult.advice
        case .unknownAccount: "\"scrollback accounts\" lists the accounts, --data chooses another folder"
        case .unknownRoom: "\"scrollback rooms\" lists them"
        case .locked: "stop the other process or wait until it ends"
        case .tooManyOpen: "raise open_connections in the configuration, or try again"
        case .cold: "add --cold if the command has it, or expand the account: scrollback archive restore ACCOUNT"
        case .encrypted:
            "give the file with its secret key: SCROLLBACK_IDENTITY_FILE, or --identity FILE if the command has it"
        case .age: "https://age-encryption.org explains its keys"
        case .schemaTooOld: "restart that process"
        case .schemaTooNew: "use the newer scrollback that wrote it"
        case .notPermitted: "check the owner and the mode of the folder"
        case .noLocks: RefusedLock.advice
        case .corrupt: "for details: scrollback archive check; then restore it from a backup"
        case .backup: "nothing was changed"
        case .linked: "remove the link and the files that it leads to, or put the files in its place"
        case .sharedArchive: "docs/shared-archive.md explains shared archives"
        case .searchIndex: "the messages are intact; \"scrollback archive reindex --rebuild\" rebuilds it"
        case .stopped: "ask for less: one room, a shorter time, or a rarer word"
        case .merge: "\"scrollback archive merge ACCOUNT\" lists the merges"
        case .held: "\"scrollback retention holds\" lists the holds"
        case .quota: "free some space, or change the limit in the configuration"
        case .storage: "free some space, check the disk, and try again"
        }
    }
}
