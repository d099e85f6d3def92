import LogFormats
import Rendering

extension TableProposal {
    /// Returns the command that imports a table; nil for a source that is not a table.
    static func hint(for source: LogSource, _ path: String) -> String? {
        guard let table = TableProposal(source) else { return nil }
        let room = table.room.map { ["--room", $0] } ?? []
        let words = ["import", table.format, path, "--columns", table.columns] + room
        return "to name its columns: " + NextCommand.line(words)
    }
}
