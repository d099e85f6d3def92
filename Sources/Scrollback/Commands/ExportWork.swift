import ChatModel
import Exporting
import Reading
import Rendering

/// An export, with its reports on stderr.
struct ExportWork {
    let source: AccountExport
    let folder: ExportFolder
    let request: ExportRequest
    let earlier: ExportManifest?
    /// True to write the report on stderr.
    let isForPeople: Bool

    /// Runs the export. Returns nil when it was stopped, after reporting the place.
    func perform(isStopped: @escaping () -> Bool) throws -> ExportRun.Report? {
        let line = TerminalLine()
        if earlier?.trailer == nil, earlier != nil {
            StandardStream.note("resuming an interrupted export\n")
        }
        if line.isShown, let estimate = try ExportEstimate(request, of: source) { StandardStream.note(estimate.text) }
        let start = ContinuousClock.now
        do {
            let run = ExportRun(
                source: source, folder: folder, request: request, earlier: earlier, isStopped: isStopped,
                progress: { line.show(Self.text($0, after: ContinuousClock.now - start)) })
            let report = try run.perform()
            line.clear()
            if isForPeople { StandardStream.note(Self.text(report, in: folder)) }
            return report
        } catch is ExportStopped {
            line.clear()
            StandardStream.note("stopped; the same command resumes\n")
            return nil
        } catch {
            line.clear()
            throw error
        }
    }

    /// Returns a text such as `12,000 of 2,000,000 messages, 40,000 a second, 12 s left`.
    static func text(_ progress: ExportRun.Progress, after elapsed: Duration) -> String {
        let seconds = max(elapsed / .seconds(1), 0.001)
        let rate = Double(progress.messages) / seconds
        let left = Double(max(0, progress.totalMessages - progress.messages)) / max(rate, 1)
        return
            "\(progress.messages.grouped) of \(progress.totalMessages.of(.message)), \(Int(rate).grouped) a second, "
            + "\(RoughDuration(.seconds(left))) left"
    }

    /// Returns a text such as `248,000 messages in 365 files (54.3 MB) in libera-html; 3 gaps inside; 12 months
    /// written, 353 unchanged`.
    static func text(_ report: ExportRun.Report, in folder: ExportFolder) -> String {
        let trailer = report.trailer
        let gaps = trailer.gaps == 0 ? "" : "; \(trailer.gaps.of("gap")) inside"
        let kept = report.kept == 0 ? "" : "; \(report.written.of("month")) written, \(report.kept.grouped) unchanged"
        let lost =
            report.lost == 0
            ? ""
            : "\(report.lost.of("file")) not exported: missing or damaged; to list them: scrollback archive check\n"
        return
            "\(trailer.messages.of(.message)) in \(trailer.files.of("file")) (\(ByteCount(trailer.bytes))) in "
            + "\(folder.shown)\(gaps)\(kept)\n\(lost)"
    }
}
