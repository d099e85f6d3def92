import TestSupport

extension TorturedCommand {
    /// Runs the command undisturbed, and returns the faults that its calls may meet.
    func cases(_ ways: [CallFault.Way]) async throws -> [CallFault] {
        try await reset()
        let (result, calls) = try await program.meet([:], arguments)
        guard result.status == 0 else { throw WaitedInVain(description: "\(arguments): \(result.errors)") }
        let complaints = try await undone() + broken()
        guard complaints.isEmpty else { throw WaitedInVain(description: "\(arguments): \(complaints)") }
        return calls.distinct.flatMap { call in
            ways.map { CallFault(command: name, way: $0, call: call) }.filter(\.isPossible)
        }
    }

    /// Runs the command with a fault, then without. Returns what is wrong.
    func complaints(_ fault: CallFault, swallowed: Bool = false) async throws -> [String] {
        do {
            return try await run(fault, swallowed: swallowed)
        } catch let error as WaitedInVain {
            return ["\(error)"]
        }
    }

    private func run(_ fault: CallFault, swallowed: Bool) async throws -> [String] {
        try await reset()
        let (result, calls) = try await program.meet(
            fault.point.merging(swallowed ? ["SWALLOW": "1"] : [:]) { $1 }, arguments)
        var complaints = fault.endingProblems(result, calls)
        if result.status == 0 { complaints += try await undone().map { "after success: \($0)" } }
        complaints += try await broken()
        if complaints.isEmpty, fault.isInvisible { return [] }
        let again = try await program.start(arguments: arguments).result()
        if again.status != 0, repeated.map({ again.errors.contains($0) }) != true {
            complaints.append("the next run: \(again.errors)")
        }
        return try await complaints + undone().map { "after the next run: \($0)" } + broken()
    }
}

extension CallFault.Way {
    /// All but the kills.
    static let failures = allCases.filter { $0 != .kill && $0 != .half }
}

extension [LoggedCall] {
    /// One of each row of equal calls on shared memory, which SQLite fills with one byte for each page.
    fileprivate var distinct: [LoggedCall] {
        indices.filter { index in
            let call = self[index]
            guard index > 0, call.path.hasSuffix("-shm") else { return true }
            return call.name != self[index - 1].name || call.path != self[index - 1].path
        }.map { self[$0] }
    }
}

extension CallFault {
    /// Returns what is wrong with the way in which the command ended.
    fileprivate func endingProblems(_ result: Run.Result, _ calls: [LoggedCall]) -> [String] {
        if isKill { return result.isKilled || result.status == 0 ? [] : ["not killed: \(result.errors)"] }
        if result.status >= 128 { return ["signal \(result.status - 128): \(result.errors)"] }
        guard result.status != 0 else { return isInvisible ? [] : ignored(calls) }
        if isInvisible { return ["not hidden: \(result.errors)"] }
        return isClear(result.errors) ? [] : ["status \(result.status): \(result.errors)"]
    }

    /// A successful command has written everything to disk, so no call that does so may have failed. SQLite ignores an
    /// error of folders, which it writes to disk by `fdatasync` (`unixSync` in os_unix.c). SQLite rolls the catalog back if
    /// its journal can't be written: it may lose the order in which accounts were used, and `undone` notices any other loss.
    private func ignored(_ calls: [LoggedCall]) -> [String] {
        calls.indices.filter { index in
            let call = calls[index]
            return call.isSync && call.hasFailed && (call.name == "fsync" || call.path.contains(".sqlite"))
                && !call.path.hasSuffix("/catalog.sqlite-journal") && !isCheckpoint(index, calls)
        }.map { "ignored: call \(calls[$0].number), \(calls[$0].name) \(calls[$0].path)" }
    }

    /// True if the call belongs to a checkpoint. A checkpoint copies what SQLite's write-ahead log already has on disk. The
    /// log must stay until the database file is on disk, too.
    private func isCheckpoint(_ index: Int, _ calls: [LoggedCall]) -> Bool {
        let call = calls[index]
        let log = call.path.hasSuffix("-wal") ? call.path : call.path + "-wal"
        let isWritten = calls[..<index].last { $0.path == log && !$0.hasFailed && ($0.isWrite || $0.isSync) }?.isSync
        let untilRepeated = calls[(index + 1)...].prefix { !($0.path == call.path && $0.isSync && !$0.hasFailed) }
        let isGone = untilRepeated.contains {
            $0.path == log && !$0.hasFailed && ["unlinkat", "ftruncate"].contains($0.name)
        }
        return isWritten == true && !isGone
    }

    /// True for an error that names the trouble and its place, and neither blames another program or a damaged file nor
    /// shows what is for programs.
    private func isClear(_ errors: String) -> Bool {
        let troubles = [
            "Input/output error", "No space left", "the disk failed", "the disk is full", "can't be opened",
            "connection",
        ]
        let places = ["/", "demo", "copies", "the server"]
        let isError = errors.contains(/\[[a-z-]+\]\n/) || errors.hasPrefix("scrollback: skipped ")
        return isError && troubles.contains { errors.contains($0) }
            && places.contains { errors.contains($0) }
            && !["[corrupt]", "[locked]", "not an error", "Domain="].contains { errors.contains($0) }
    }
}
