package import ChatModel

/// An import of all sources, with its report.
package struct ImportWork {
    private let sources: ImportSources
    private var run: ImportRun
    package private(set) var report: ImportReport

    package init(_ search: ImportSearch, run: ImportRun) {
        (sources, report, self.run) = (search.sources, search.report, run)
    }

    /// Imports all sources. Reports files that can't be read, and continues with the others. On a request to stop,
    /// reports the place and returns.
    ///
    /// - Throws: any error of `store`, after reporting the place.
    package mutating func perform(store: ([ImportedLine]) async throws -> ImportTally) async throws {
        var report = report
        defer { self.report = report }
        do {
            for source in sources {
                // The two closures are never called at the same time.
                try await run.read(source, store: store) {
                    report.show($0)
                } onError: {
                    report.reportUnreadable($0)
                }
            }
            try await run.finish(store: store) { report.show($0) }
        } catch is ImportStopped {
            run.forgetPending()
            report.print(report.stopped(run.done))
        } catch {
            report.print(report.stopped(run.done))
            throw error
        }
        report.print(report.summary(run.done))
    }
}
