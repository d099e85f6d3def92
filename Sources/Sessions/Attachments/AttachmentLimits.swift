import ChatModel

/// The files of a service to fetch, and the limits of fetching.
package struct AttachmentLimits: Sendable, Hashable {
    /// True to fetch all files; false to fetch only requested ones.
    package var fetchesAll = false
    /// The number of files to fetch at once. More would delay messages.
    package var atOnce = 2
    /// The limit of bytes in one file.
    package var bytes = Attachment.usualLimit
    /// The number of times that a broken-off file is continued at once, if each part makes progress. After that, it
    /// waits.
    package var resumes = 5
    /// The number of attempts, each with several calls, after which a file is fetched only on request.
    package var attempts = 12
    /// The waits between two attempts: from a minute to a day.
    package var backoff = Backoff.Limits(first: .seconds(60), longest: .seconds(86_400))
    /// The time that all files wait after the archive could not store one, because its disk may be full.
    package var storePause: Duration = .seconds(60)

    package init() {}
}
