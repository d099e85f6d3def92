import Archive
import ChatModel

/// What a person is told of an error: what, where, what to try.
enum FailureText {
    /// Nil for errors that the argument parser words itself.
    static func sentence(for error: any Error) -> String? {
        switch error {
        case let error as CommandError: error.told
        case let error as ConfigurationError: "\(configuration(error)) [\(ErrorPage.configuration.rawValue)]"
        case let error as QueryError: error.detail
        case let error as ArchiveError: "\(archive(error)) [\(ErrorPage(error.code).rawValue)]"
        default: nil
        }
    }

    private static func configuration(_ error: ConfigurationError) -> String {
        let lines = error.description
        return error.problems.count == 1 ? lines : "\(error.problems.count) mistakes:\n\(lines)"
    }

    private static func archive(_ error: ArchiveError) -> String {
        let hint =
            switch ErrorPage(error.code) {
            case .noArchive: "\"scrollback listen\" fills an archive, --data names another folder"
            case .unknownAccount: "\"scrollback accounts\" lists the accounts, --data names another folder"
            case .unknownRoom: "\"scrollback rooms\" lists them"
            case .locked: "stop the other process, or wait for it"
            case .tooManyOpen: "raise open_connections of the configuration, or try again"
            case .cold: "add --cold where the command takes it, or make one plain: scrollback restore ACCOUNT"
            case .schemaTooOld: "restart that process with this scrollback"
            case .schemaTooNew: "use the newer scrollback that wrote it"
            case .notPermitted: "check the owner and the mode of the folder"
            case .corrupt: "\"scrollback check\" says what is wrong; restore it from a backup"
            case .backup: "nothing was changed"
            case .searchIndex: "messages are whole; \"scrollback reindex --anew\" makes it anew"
            default: "free some space, check the disk, and try again"
            }
        return "\(Sanitizer.line(error.detail)); \(hint)"
    }
}

extension ErrorPage {
    init(_ code: ArchiveError.Code) {
        self =
            switch code {
            case .noArchive: .noArchive
            case .unknownAccount: .unknownAccount
            case .unknownRoom: .unknownRoom
            case .locked: .locked
            case .backup: .backup
            case .cold: .cold
            case .tooManyOpen: .tooManyOpen
            case .schemaTooNew: .schemaTooNew
            case .schemaTooOld: .schemaTooOld
            case .notPermitted: .notPermitted
            case .corrupt: .corrupt
            case .searchIndex: .searchIndex
            case .storage: .storage
            }
    }
}
