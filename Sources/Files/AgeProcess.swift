import FoundationEssentials
import Glibc

/// A running `age`, the program of Debian's package of that name, which encrypts and decrypts. Its format is specified at
/// https://c2sp.org/age.
///
/// This process writes to it and reads from it in turns, as both are ready, in memory that does not grow.
final class AgeProcess {
    private let id: pid_t
    /// The socket to its standard input, which it ignores when it reads a file; nil once the input is complete.
    private var input: Int32?
    /// The sockets to its standard output and its standard error; nil after their end.
    private var (output, errors): (Int32?, Int32?)
    private var isReaped = false
    private var message: [UInt8] = []

    /// The longest message that is kept, in bytes.
    private static let longestMessage = 4096

    /// - Parameter file: The file for its standard input; nil for ``write(_:to:)``.
    /// - Throws: ``ArchiveError`` with `age` if there is no such program.
    init(_ arguments: [String], reading file: OpenFile? = nil) throws(ArchiveError) {
        let ends = try Self.pairs(3)
        let (code, id) = Self.spawn(
            ["age"] + arguments, [file?.descriptor ?? ends[0].theirs, ends[1].theirs, ends[2].theirs])
        for end in ends { close(end.theirs) }
        guard code == 0 else {
            for end in ends { close(end.own) }
            throw Self.missing(code)
        }
        (self.id, input, output, errors) = (id, ends[0].own, ends[1].own, ends[2].own)
    }

    deinit {
        for end in [input, output, errors].compactMap(\.self) { close(end) }
        guard !isReaped else { return }
        kill(id, SIGKILL)
        _ = status()
    }

    /// Gives it all bytes, and passes on what comes out meanwhile.
    func write(_ bytes: UnsafeRawBufferPointer, to target: (UnsafeRawBufferPointer) throws -> Void) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let input else { throw try failure(target) }
            let ready = try wait(toWrite: input)
            if ready.output { _ = try pass(target) }
            guard ready.input else { continue }
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let count = send(input, part.baseAddress, part.count, Self.sending)
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if ![EINTR, EAGAIN].contains(errno) {
                throw try failure(target)
            }
        }
    }

    /// Ends the input, passes on the rest of the output and waits for the program's end.
    ///
    /// - Throws: ``ArchiveError`` with `age` if it failed.
    func finish(to target: (UnsafeRawBufferPointer) throws -> Void) throws {
        try drain(target)
        guard status() == 0 else { throw Self.failed(text) }
    }

    /// Reads what comes out.
    ///
    /// - Returns: The number of bytes read; 0 at the end.
    /// - Throws: The program's own message as ``AgeProcess/Failure`` if it failed.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while let output {
            guard try wait(toWrite: nil).output else { continue }
            let count = Glibc.read(output, buffer.baseAddress, buffer.count)
            if count > 0 { return count }
            guard count == 0 || errno != EINTR else { continue }
            close(output)
            self.output = nil
        }
        guard !isReaped else { return 0 }
        try drain { _ in }
        guard status() == 0 else { throw Failure(text: text) }
        return 0
    }

    /// The message of a program that failed.
    struct Failure: Error {
        let text: String
    }

    private func drain(_ target: (UnsafeRawBufferPointer) throws -> Void) throws {
        if let input { close(input) }
        input = nil
        while output != nil || errors != nil {
            if try wait(toWrite: nil).output { _ = try pass(target) }
        }
    }

    private func failure(_ target: (UnsafeRawBufferPointer) throws -> Void) throws -> ArchiveError {
        try drain(target)
        _ = status()
        return Self.failed(text)
    }

    private func pass(_ target: (UnsafeRawBufferPointer) throws -> Void) throws -> Bool {
        guard let output else { return false }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = Glibc.read(output, &buffer, buffer.count)
        if count > 0 {
            try buffer.withUnsafeBytes { try target(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        } else if count == 0 || errno != EINTR {
            close(output)
            self.output = nil
        }
        return count > 0
    }

    /// Waits until one of the ends is ready, and keeps what it reports.
    private func wait(toWrite input: Int32?) throws(ArchiveError) -> (input: Bool, output: Bool) {
        // A negative descriptor is ignored.
        var ends = [
            pollfd(fd: input ?? -1, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: output ?? -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: errors ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        guard uninterrupted({ poll(&ends, nfds_t(ends.count), -1) }) >= 0 else {
            throw ArchiveError(path: "age", errno: errno)
        }
        if ends[2].revents != 0 { readMessage() }
        return (ends[0].revents != 0, ends[1].revents != 0)
    }

    private func readMessage() {
        guard let errors else { return }
        var buffer = [UInt8](repeating: 0, count: Self.longestMessage)
        let count = Glibc.read(errors, &buffer, buffer.count)
        if count > 0 {
            message += buffer[..<min(count, Self.longestMessage - message.count)]
        } else if count == 0 || errno != EINTR {
            close(errors)
            self.errors = nil
        }
    }

    /// Its first line, without its own name.
    private var text: String {
        let line = String(decoding: message, as: UTF8.self).split(whereSeparator: \.isNewline).first ?? "it failed"
        return String(line.hasPrefix("age: error: ") ? line.dropFirst("age: error: ".count) : line)
    }

    private func status() -> Int32 {
        isReaped = true
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0 { if errno != EINTR { return -1 } }
        return status
    }

    private static func failed(_ text: String) -> ArchiveError {
        ArchiveError(code: .age, detail: "can't encrypt: age: \(text)", hint: "check the recipients")
    }

    private static func missing(_ code: Int32) -> ArchiveError {
        guard code == ENOENT else {
            return ArchiveError(
                code: .age, detail: "can't start the program age: \(String(cString: strerror(code)))",
                hint: "check the program")
        }
        return ArchiveError(
            code: .age, detail: "the program age is missing", hint: "install it (Debian: apt-get install age)")
    }

    private static let stream = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    private static let sending = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)

    /// Makes pairs of connected sockets, because a write to the pipe of a program that has ended raises a signal.
    private static func pairs(_ count: Int) throws(ArchiveError) -> [(own: Int32, theirs: Int32)] {
        var pairs: [(own: Int32, theirs: Int32)] = []
        while pairs.count < count {
            var ends: [Int32] = [-1, -1]
            guard socketpair(AF_UNIX, stream, 0, &ends) == 0 else {
                let code = errno
                for pair in pairs { for end in [pair.own, pair.theirs] { close(end) } }
                throw ArchiveError(path: "age", errno: code)
            }
            pairs.append((ends[0], ends[1]))
        }
        return pairs
    }

    /// - Parameter ends: The descriptors for its standard input, output and error.
    private static func spawn(_ arguments: [String], _ ends: [Int32]) -> (code: Int32, id: pid_t) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (standard, end) in zip(Int32(0)..., ends) { posix_spawn_file_actions_adddup2(&actions, end, standard) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The threads of Swift's tasks have all signals blocked, which a process inherits.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var words = arguments.map { strdup($0) } + [nil]
        var variables = ProcessInfo.processInfo.environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in words + variables { free(text) } }
        var id: pid_t = 0
        return (posix_spawnp(&id, arguments[0], &actions, &attributes, &words, &variables), id)
    }
}
