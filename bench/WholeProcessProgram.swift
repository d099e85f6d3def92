import Foundation

/// A program, run as a shell runs it.
struct Program: Sendable {
    let path: String

    init(path: String) {
        self.path = path
    }

    /// The `scrollback` beside this program.
    init() throws {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        path = URL(fileURLWithPath: own).deletingLastPathComponent().path + "/scrollback"
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw BenchmarkError("there is no \(path): build it first")
        }
    }

    struct Run {
        /// The time from before the start to the end.
        var wall: Duration
        /// The processor time, user and system, which depends little on other load.
        var processor: Duration
        var output: [UInt8]

        var lines: Int { output.count { $0 == UInt8(ascii: "\n") } }
    }

    func run(_ arguments: [String]) throws -> Run {
        let start = ContinuousClock.now
        let process = try ChildProcess(path, arguments, capturesOutput: true)
        let output = process.readOutput()
        let (status, processor) = process.wait()
        let wall = ContinuousClock.now - start
        guard status == 0 else { throw BenchmarkError("\(path) \(arguments) ended with \(status)") }
        return Run(wall: wall, processor: processor, output: output)
    }
}

/// A process started with posix_spawn(3), whose cost does not depend on the size of this process.
struct ChildProcess: Sendable {
    let id: pid_t
    private let output: Int32

    /// Starts the process. ``readOutput()`` reads its output if that is captured; otherwise the output goes to our
    /// stdout. Its stderr is dropped, or captured with the output.
    init(_ path: String, _ arguments: [String], capturesOutput: Bool, capturesErrors: Bool = false) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var ends: [Int32] = [-1, -1]
        if capturesOutput {
            guard pipe(&ends) == 0 else { throw BenchmarkError("no pipe") }
            posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
            if capturesErrors { posix_spawn_file_actions_adddup2(&actions, ends[1], 2) }
            for end in ends { posix_spawn_file_actions_addclose(&actions, end) }
        }
        let words = ([path] + arguments).map { strdup($0) }
        defer { words.forEach { free($0) } }
        var id = pid_t()
        let code = posix_spawn(&id, path, &actions, nil, words + [nil], environ)
        if capturesOutput { close(ends[1]) }
        guard code == 0 else { throw BenchmarkError("\(path): \(String(cString: strerror(code)))") }
        (self.id, output) = (id, ends[0])
    }

    /// Returns the output up to its end.
    func readOutput() -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while case let count = read(output, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
        close(output)
        return bytes
    }

    /// Returns the next bytes, as soon as there are any; none at the end.
    func readSome() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        return Array(buffer[..<max(0, read(output, &buffer, buffer.count))])
    }

    /// Returns the exit status, or 128 plus the signal; and the processor time of the process.
    func wait() -> (status: Int32, processor: Duration) {
        var status: Int32 = 0
        var usage = rusage()
        wait4(id, &status, 0, &usage)
        let times = [usage.ru_utime, usage.ru_stime].map { Duration.seconds($0.tv_sec) + .microseconds($0.tv_usec) }
        return (status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F, times[0] + times[1])
    }

    func end() {
        kill(id, SIGTERM)
    }

    /// Returns the processor time of the process so far in seconds, in steps of 10 ms.
    func processor() throws -> Double {
        let stat = try String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
        // The name, in parentheses, may contain spaces.
        let fields = stat.split(separator: ")").last?.split(separator: " ").map { Int($0) ?? 0 } ?? []
        guard fields.count > 12 else { throw BenchmarkError("no times in /proc/\(id)/stat") }
        return Double(fields[11] + fields[12]) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Returns a figure of /proc/PID/status in KiB.
    func memory(_ field: String) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix(field + ":") }
        guard let words = line?.split(whereSeparator: \.isWhitespace), words.count > 1, let value = Int(words[1]) else {
            throw BenchmarkError("no \(field) in /proc/\(id)/status")
        }
        return value
    }
}
