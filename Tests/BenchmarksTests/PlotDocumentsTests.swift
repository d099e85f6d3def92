import Foundation
import Testing

@testable import Benchmarks

/// The plots of the documentation, which are drawn from `docs/pictures/figures.txt`.
struct PlotDocumentsTests {
    private static let isWriting = ProcessInfo.processInfo.environment["SCROLLBACK_WRITE_DOCS"] != nil

    @Test func `the plots and the pages that show them have the committed figures`() throws {
        let figures = try PlotDocuments.committedFigures()
        #expect(Set(figures.parts.keys) == Set(Plot.allCases))
        if Self.isWriting { try PlotDocuments.write(figures) }
        for (path, text) in try PlotDocuments.all(figures) {
            #expect(try PlotDocuments.committed(path) == text, "\"make docs\" writes \(path)")
        }
    }
}
