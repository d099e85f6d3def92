import ChatModel

/// All sources of an import, and what is told of it.
struct ImportWork {
    let sources: [ImportSource]
    var run: ImportRun
    var report: ImportReport

    /// Whether every source was read to its end; one that was not is told, and the others go on.
    ///
    /// Told to stop, it says where, and returns.
    mutating func perform(store: ImportRun.Store) async throws -> Bool {
        var isWhole = true
        for source in sources {
            do {
                var report = report
                try await run.read(source, store: store) { report.show($0) }
                self.report = report
            } catch is ImportStopped {
                tell(report.stopped(run.done))
                break
            } catch let error as CommandError where [.input, .importSource].contains(error.page) {
                tell("scrollback: \(error.told)\n")
                isWhole = false
            } catch {
                tell(report.stopped(run.done))
                throw error
            }
        }
        tell(report.summary(run.done))
        return isWhole
    }

    private func tell(_ text: String) {
        report.clear()
        StandardStream.note(text)
    }
}
