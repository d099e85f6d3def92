import Foundation
import TestSupport

/// Measures an XMPP account at Prosody and at a server that replays a room, by `bench/xmpp.py`.
///
/// - Throws: ``BenchmarkError`` when something is missing, or the script fails.
func runXMPP() async throws {
    guard JabberServer.Kind.prosodySQLite.isAvailable, let python = Tool.find("python3") else {
        throw BenchmarkError("needs python3, prosody and lua-dbi-sqlite3, which .ci/fetch-tools fetches")
    }
    Table.title("XMPP")
    let script = URL(fileURLWithPath: "\(#filePath)").deletingLastPathComponent().path + "/xmpp.py"
    var arguments = ["-B", script, "--binary", try Program().path]
    if Scale.isLong { arguments.append("--long") }
    // The history of 100,000 messages takes 40 minutes at the listener's pace.
    let run = try await python.run(arguments, within: .seconds(3 * 3600))
    print(run.output)
    guard run.status == 0 else { throw BenchmarkError(run.errors) }
}
