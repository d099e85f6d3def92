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

extension ImportError {
    /// Creates the error for a file that was given with a format, has bytes and no message of the format, and does not look
    /// like it. Nil for an empty file, a file of a folder or an archive, a pipe, and a file that the format recognises.
    init?(withoutContent source: ImportSource, _ options: ImportOptions) {
        guard let format = options.format, source.folder == nil, var file = source.files.first, file.container.isEmpty,
            case .disk = file.place, let bytes = try? file.beginning(isFormatKnown: true), !bytes.isEmpty
        else { return nil }
        let beginning = FileEncoding(ofBeginning: bytes, given: options.encoding).decoded(beginning: bytes)
        var log = LogSource(
            path: file.unpackedPath, beginning: Array(beginning.prefix(LogSource.beginningSize)), room: options.room,
            zone: options.zone)
        log.choices = options.choices
        guard !format.recognises(log) else { return nil }
        self.init(
            .importSource, file.shown, "no message of \(format.name) found",
            hint: "to recognise the format: scrollback import FILE")
    }
}
