import ChatModel
import LogFormats
import TextEncodings

extension ImportFile {
    /// Returns the format's survey of the file, which it reads until the survey is complete; nil for a pipe, and if the
    /// format needs none. Ignores errors of reading, because the import that follows reports them.
    func survey(
        as format: any LogFormat.Type, in encoding: FileEncoding, isStopped: @escaping @Sendable () -> Bool
    ) throws -> (any LogSurvey)? {
        guard pipe == nil, var survey = format.survey(now: .now()) else { return nil }
        var cutter = format.cutter()
        var wide = encoding.wide.map(WideDecoder.init)
        func inspect(_ line: LogLine) {
            survey.inspectLine(SourcePart(line, by: encoding.lines, limit: format.maximumLine).line.bytes)
        }
        do {
            let input = try open(isStopped: isStopped)
            while !survey.isComplete, case let bytes = try input.next(), !bytes.isEmpty {
                cutter.cutLines(wide?.decode(bytes)[...] ?? bytes, inspect)
            }
        } catch is ImportError {}
        if let end = wide?.finish()[...] { cutter.cutLines(end, inspect) }
        cutter.finish(inspect)
        return survey
    }
}
