/// The page of `docs/errors/` that explains an error. Its name ends what a person is told of the error.
enum ErrorPage: String, Sendable, CaseIterable {
    case address
    case ambiguous
    case backup
    case badRegex = "bad-regex"
    case badTime = "bad-time"
    case check
    case cold
    case configuration
    case connection
    case corrupt
    case demo
    case descriptor
    case export
    case importSource = "import-source"
    case input
    case listenerRefused = "listener-refused"
    case listenerRunning = "listener-running"
    case listenerSilent = "listener-silent"
    case locked
    case noAccountOpened = "no-account-opened"
    case noArchive = "no-archive"
    case noLimits = "no-limits"
    case noListener = "no-listener"
    case noConfiguration = "no-configuration"
    case notFetched = "not-fetched"
    case notPermitted = "not-permitted"
    case notSent = "not-sent"
    case notStored = "not-stored"
    case openFiles = "open-files"
    case output
    case pager
    case schemaTooNew = "schema-too-new"
    case schemaTooOld = "schema-too-old"
    case searchIndex = "search-index"
    case stopped
    case storage
    case temporaryFolder = "temporary-folder"
    case tooManyOpen = "too-many-open"
    case unknownAccount = "unknown-account"
    case unknownMessage = "unknown-message"
    case unknownNetwork = "unknown-network"
    case unknownRoom = "unknown-room"
}
