import LogFormats
import Rendering

/// Checks of the facts about a source that only the user knows: the columns of a table, and the network of a database.
extension ImportSearch {
    /// - Throws: ``ImportError`` if a database has several networks and none was named, before an account is chosen.
    func checkNetwork(of file: ImportFile, _ beginning: [UInt8], _ format: any LogFormat.Type) throws {
        // A home's search imports each network into an account of its own.
        guard format.hasNetworks, home == nil else { return }
        do {
            _ = try format.init(log(file, beginning))
        } catch {
            throw ImportError(error, of: file.shown, as: format)
        }
    }

    /// Returns the command that imports a table; nil for a source that is not a table.
    func table(_ source: LogSource, _ path: String) -> String? {
        guard let table = TableProposal(source) else { return nil }
        let room = table.room.map { ["--room", $0] } ?? []
        let words = ["import", table.format, path, "--columns", table.columns] + room
        return "to name its columns: " + NextCommand.line(words)
    }
}
