package import ChatModel

/// All sources of an import, and what is told of it.
package struct ImportWork {
    private let sources: ImportSources
    private var run: ImportRun
    package private(set) var report: ImportReport

    package init(_ search: ImportSearch, run: ImportRun) {
        (sources, report, self.run) = (search.sources, search.report, run)
    }

    /// Told to stop, it says where, and returns. What can't be read is told, and the others go on.
    package mutating func perform(store: ([ImportedLine]) async throws -> ImportTally) async throws {
        var report = report
        defer { self.report = report }
        do {
            for source in sources {
                // Neither is called while the other is.
                try await run.read(source, store: store) {
                    report.show($0)
                } complain: {
                    report.complain($0)
                }
            }
            try await run.finish(store: store) { report.show($0) }
        } catch is ImportStopped {
            run.forgetPending()
            report.tell(report.stopped(run.done))
        } catch {
            report.tell(report.stopped(run.done))
            throw error
        }
        report.tell(report.summary(run.done))
    }
}
