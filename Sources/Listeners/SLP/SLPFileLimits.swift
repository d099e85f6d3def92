/// Which files of a service to fetch, and how.
package struct SLPFileLimits: Sendable, Hashable {
    /// True to fetch files that nobody has requested.
    package var fetchesAll = false
    /// The number of files to fetch at once; more would take the connection from messages.
    package var atOnce = 2
    /// The most bytes of one file.
    package var bytes: Int64 = defaultBytes
    /// The number of times that a broken-off file is continued at once, while each part makes progress; after that it waits.
    package var resumes = 5
    /// The number of tries, each of them with several calls, after which a file is fetched only on request.
    package var attempts = 12
    /// Waits between two tries: from a minute to a day.
    package var backoff = Backoff.Limits(first: .seconds(60), longest: .seconds(86_400))
    /// The time that all files wait when the archive can't take one, as its disk may be full.
    package var storePause: Duration = .seconds(60)

    /// Enough for a long recording of speech or a hundred photos, but not for a film.
    package static let defaultBytes: Int64 = 20_000_000

    package init() {}
}
