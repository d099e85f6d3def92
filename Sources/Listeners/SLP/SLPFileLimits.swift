/// Which files of a service are fetched, and how.
package struct SLPFileLimits: Sendable, Hashable {
    /// Whether files are fetched that nobody asked for.
    package var fetchesAll = false
    /// At once; more would take the connection from what is said.
    package var atOnce = 2
    /// Bytes of one.
    package var bytes: Int64 = defaultBytes
    /// How often one that breaks off is gone on with before it has to wait, as long as more comes each time.
    package var resumes = 5
    /// Tries, each of them with several calls, after which nothing is tried by itself.
    package var attempts = 12
    /// Between two tries: from a minute to a day.
    package var backoff = Backoff.Limits(first: .seconds(60), longest: .seconds(86_400))
    /// How long all wait when the archive can't take one, its disk being full perhaps.
    package var trouble: Duration = .seconds(60)

    /// A long recording of speech or a hundred photos, and a film is not.
    package static let defaultBytes: Int64 = 20_000_000

    package init() {}
}
