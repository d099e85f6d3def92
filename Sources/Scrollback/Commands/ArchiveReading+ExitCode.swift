import ChatModel
import Options
import Reading

extension ArchiveReading {
    /// The exit status of a lookup that found nothing: 2 if an account could not be read, otherwise 1. A compressed
    /// account is readable.
    var nothingFound: ExitCode {
        skipped.allSatisfy(\.isResting) ? .failure : ExitCode(2)
    }
}
