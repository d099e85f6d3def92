import Foundation

/// The figures of `make bench-quick`, by their names in `bench/bounds.txt`. For each, a higher value is worse.
enum QuickFigure: String, CaseIterable {
    case ingest = "ingest-over-bare"
    case page = "page-over-bare"
    case version = "version-minstructions"
    case search = "search-minstructions"
    case importing = "import-over-bare"
    case memory = "listener-peak-mib"
    case size = "bytes-over-text"
}

/// A bound for each figure.
struct Bounds {
    /// The multiple of its bound above which a figure fails.
    static let tolerance = 1.2

    private let bounds: [QuickFigure: Double]

    /// Reads `bench/bounds.txt`.
    init() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        try self.init(parsing: try String(contentsOf: folder.appending(path: "bounds.txt"), encoding: .utf8))
    }

    /// - Parameter text: Lines with a name and a number; a comment begins with `#`.
    /// - Throws: ``BenchmarkError`` unless every figure has exactly one bound and no other name has one.
    init(parsing text: String) throws {
        var bounds: [QuickFigure: Double] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace)
            guard !words.isEmpty else { continue }
            guard words.count == 2, let bound = Double(words[1]), bound > 0, bound.isFinite else {
                throw BenchmarkError("bounds.txt: \"\(line)\" is not a name and a number above 0")
            }
            guard let figure = QuickFigure(rawValue: String(words[0])) else {
                throw BenchmarkError("bounds.txt: no figure is called \"\(words[0])\"")
            }
            guard bounds.updateValue(bound, forKey: figure) == nil else {
                throw BenchmarkError("bounds.txt: \(figure.rawValue) has two bounds")
            }
        }
        let missing = QuickFigure.allCases.filter { bounds[$0] == nil }.map(\.rawValue)
        guard missing.isEmpty else {
            throw BenchmarkError("bounds.txt: no bound for \(missing.joined(separator: ", "))")
        }
        self.bounds = bounds
    }

    /// The figure's bound; every figure has one.
    subscript(figure: QuickFigure) -> Double { bounds[figure] ?? 0 }

    /// Returns a sentence about a value that exceeds the figure's bound by more than a fifth, or is not a number;
    /// otherwise nil.
    func failure(_ figure: QuickFigure, _ value: Double) -> String? {
        guard value <= self[figure] * Self.tolerance else {
            return "\(figure.rawValue) is \(hundredths(value)), more than a fifth over its bound "
                + "\(hundredths(self[figure])) in bench/bounds.txt"
        }
        return nil
    }
}
