import LogFormats
import Rendering

extension ImportError {
    init(_ error: LogSourceError, of source: String, as format: any LogFormat.Type) {
        self =
            switch error {
            case .noDate:
                ImportError(
                    .importSource, source, "neither its name nor its lines have a date",
                    hint: "rename it after its day, such as example-2026-11-21.log")
            case .noRoom:
                ImportError(
                    .importSource, source, "can't tell which room this log belongs to",
                    hint: format.isOfIRC ? "add --room '#example'" : "add --room NAME")
            case .unusable(let reason, let hint):
                ImportError(
                    .importSource, source, Sanitizer.line(reason), hint: hint.map(Sanitizer.line))
            }
    }
}
