import Foundation
import TestSupport

/// Counts the instructions that the program runs. The count does not depend on the machine's load.
struct Callgrind {
    private let valgrind: Tool
    private let folder: TemporaryFolder
    private let program: String

    /// Returns nil when valgrind or strip is missing.
    ///
    /// valgrind 3.19 fails on the debugging information of Swift 6.3, so it runs a copy of the program without that.
    init?() throws {
        guard let valgrind = Tool.find("valgrind"), let strip = Tool.find("strip") else { return nil }
        self.valgrind = valgrind
        folder = try TemporaryFolder()
        program = folder.path + "/scrollback"
        _ = try Program(path: strip.path).run(["--strip-debug", "-o", program, try Program().path])
    }

    /// Runs the program to its end. Counts the millions of its own instructions, without the kernel's, and the lines that
    /// it writes.
    func count(_ arguments: [String]) throws -> (millions: Double, lines: Int) {
        let log = folder.path + "/log"
        let run = try Program(path: "/usr/bin/env").run(
            environment + [
                valgrind.path, "--tool=callgrind", "--callgrind-out-file=/dev/null", "--log-file=\(log)", program,
            ] + arguments)
        // `==4711== Collected : 12345678`
        let words = try String(contentsOfFile: log, encoding: .utf8).split(whereSeparator: \.isWhitespace)
        guard let place = words.firstIndex(of: "Collected"), place + 2 < words.count,
            let count = Double(words[place + 2])
        else { throw BenchmarkError("callgrind counted nothing: \(words.joined(separator: " "))") }
        return (count / 1e6, run.lines)
    }

    /// The environment with the place of valgrind's tools, for a valgrind that is unpacked instead of installed. The
    /// program that it runs does not get the libraries that were unpacked with it.
    private var environment: [String] {
        valgrind.root == "/" ? [] : ["VALGRIND_LIB=\(valgrind.root)/usr/libexec/valgrind"]
    }
}
