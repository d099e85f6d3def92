package import Rendering

/// An error of the listener service, of its configuration, or of a request to it.
package typealias ServiceError = Failure<ServiceErrorCode>

/// The code of a ``ServiceError``; `docs/errors/` explains it.
package enum ServiceErrorCode: String, Sendable, CaseIterable {
    /// The address for metrics is in use or invalid.
    case address
    /// A given descriptor is not open for writing.
    case descriptor
    case listenerRefused = "listener-refused"
    case listenerRunning = "listener-running"
    case listenerSilent = "listener-silent"
    case noAccountOpened = "no-account-opened"
    case noConfiguration = "no-configuration"
    /// The file system of the data folder refuses locks.
    case noLocks = "no-locks"
    /// A file of a message can't be fetched.
    case notFetched = "not-fetched"
    case notPermitted = "not-permitted"
    /// The listener ended before it had stored all received events.
    case notStored = "not-stored"
    case openFiles = "open-files"
    case threads
}
