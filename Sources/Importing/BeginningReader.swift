import LogFormats

/// Reads the beginnings of files, by which their formats are recognised.
struct BeginningReader {
    let options: ImportOptions
    /// Returns true if the wait for a pipe should end.
    let isStopped: @Sendable () -> Bool

    /// Returns the beginning of a file in UTF-8. For a pipe, returns more when called again.
    func read(_ file: inout ImportFile) throws -> [UInt8] {
        let beginning = try file.beginning(isFormatKnown: options.format != nil, isStopped: isStopped)
        return FileEncoding(ofBeginning: beginning, given: options.encoding).decoded(beginning: beginning)
    }

    /// Returns a file as its format sees it.
    func log(_ file: ImportFile, _ beginning: [UInt8]) -> LogSource {
        var source = LogSource(
            path: file.unpackedPath, beginning: Array(beginning.prefix(LogSource.beginningSize)), room: options.room,
            zone: options.zone)
        source.choices = options.choices
        return source
    }

    /// Returns the kind of a file that no format reads; nil if it is unknown.
    func unsupportedKind(of file: inout ImportFile) -> UnsupportedKind? {
        let beginning = (try? read(&file)) ?? []
        return file.unsupportedKind(beginning)
    }

    /// - Throws: ``ImportError`` if a database has several networks and none was named, before an account is chosen.
    func checkNetwork(of file: ImportFile, _ beginning: [UInt8], _ format: any LogFormat.Type) throws {
        guard format.hasNetworks else { return }
        do {
            _ = try format.init(log(file, beginning))
        } catch {
            throw ImportError(error, of: file.shown, as: format)
        }
    }

    /// Returns the account and the network of a source; several for a database with several networks.
    func accounts(of source: ImportSource) -> [(account: String?, network: String?)] {
        guard var file = source.files.first, let beginning = try? read(&file) else { return [] }
        let log = log(file, beginning)
        let networks = source.format.networks(in: log)
        guard networks.isEmpty else { return networks.map { ($0, $0) } }
        return [(source.format.accountName(in: log), nil)]
    }

    /// The number of files by which the usual format of files with names of one shape is found.
    private static let sampleSize = 16

    /// Returns the text format of IRC that most files of a folder with names of one shape have; nil if there is none.
    ///
    /// An action may look like another program's event, so the lines of a single day don't always show the format.
    ///
    /// - Parameter run: The positions of the files.
    func usualFormat(of run: Range<Int>, in found: FoundFiles) -> (any LogFormat.Type)? {
        guard run.count > 2, options.format == nil else { return nil }
        let step = max(1, run.count / Self.sampleSize)
        let sample = Array(stride(from: run.lowerBound, to: run.upperBound, by: step))
        var counts: [String: (format: any LogFormat.Type, count: Int)] = [:]
        for index in sample {
            var file = found[index]
            guard let beginning = try? read(&file),
                case .sure(let format) = Recognition(log(file, beginning)), format.isTextOfIRC
            else { continue }
            counts[format.name, default: (format, 0)].count += 1
        }
        let most = counts.values.max { $0.count < $1.count }
        return most.flatMap { $0.count > sample.count / 2 ? $0.format : nil }
    }
}

extension LogFormat {
    static var isTextOfIRC: Bool { isOfIRC && isLineByLine }
}
