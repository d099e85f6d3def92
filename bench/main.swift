import Foundation

do {
    switch CommandLine.arguments.dropFirst().first {
    case "room": try await runRoomLoad()
    case "process": try await runWholeProcess()
    default:
        try await runRoomLoad()
        try await runWholeProcess()
    }
} catch let failure as BenchmarkFailure {
    print("not met:\n\(failure.detail)")
    exit(1)
}
