import ChatModel
import StreamChatWire
import TestSupport

/// Measures the program as users start it: the time for a page of a large archive, and the memory of a listener.
///
/// Measures the `scrollback` beside this executable.
///
/// - Throws: ``BenchmarkError`` when a figure is not met.
func runWholeProcess() async throws {
    let failures = try await measurePages() + measureListeners()
    guard failures.isEmpty else { throw BenchmarkError(failures.joined(separator: "\n")) }
}

/// The limit of the time for a page, as a multiple of the time of `--version` in the same run: 16 ms for 2.6 ms, as on an
/// idle machine.
private let pageFactor = 6
private let residentLimit = 64 * 1024

private func measurePages() async throws -> [String] {
    Table.title("Whole process, in ms")
    let runs = Scale.choose("runs of each command, in turn", 21, long: 41)
    let folder = try TemporaryFolder()
    let archive = LargeArchive(
        folder: folder.path, messages: Scale.choose("messages", 400_000, long: 1_000_000))
    try await archive.fill()
    let program = try Program()
    let middle = LargeArchive.time(of: archive.messages / 2).description
    let commands: [(name: String, arguments: [String], lines: Int)] = [
        ("--version", ["--version"], 1),
        ("history lobby", ["history", "lobby", "--utc"], 50),
        ("history lobby --before (middle)", ["history", "lobby", "--utc", "--before", middle], 50),
        ("history lobby --around (middle)", ["history", "lobby", "--around", middle], 50),
        ("history lobby --hide joins -n 1000", ["history", "lobby", "--hide", "joins", "-n", "1000"], 1000),
        ("history --all --format jsonl", ["history", "--all", "--format", "jsonl"], 50),
        ("tail", ["tail"], 50),
        ("tail lobby -n 10", ["tail", "lobby", "-n", "10"], 10),
    ]
    var all: [[Program.Run]] = Array(repeating: [], count: commands.count)
    // In turn, so that other load affects all of them.
    for _ in 0..<runs {
        for (index, command) in commands.enumerated() {
            let arguments = command.arguments + (index == 0 ? [] : ["--data", folder.path])
            let run = try program.run(arguments)
            guard run.lines >= command.lines else {
                throw BenchmarkError("scrollback \(command.name) wrote \(run.lines) lines")
            }
            all[index].append(run)
        }
    }
    let walls = all.map { $0.map(\.wall).sorted() }
    let medians = walls.map { $0[$0.count / 2] }
    let processor = all.map { $0.map(\.processor).sorted()[$0.count / 2] }
    Table.columns(
        ["median", "min", "max", "beyond --version", "processor"],
        commands.indices.map { index in
            let sorted = walls[index]
            let cells = [
                medians[index], sorted[0], sorted[sorted.count - 1], medians[index] - medians[0], processor[index],
            ]
            return (commands[index].name, cells.map(tenths))
        })
    return zip(commands, medians).compactMap { command, median in
        let limit = medians[0] * pageFactor
        guard median >= limit else { return nil }
        return "scrollback \(command.name) takes \(tenths(median)) ms, not under \(tenths(limit))"
    }
}

private func measureListeners() async throws -> [String] {
    Table.title("Resident memory of scrollback listen in KiB: 50 clients, 20000 messages at full speed, once and again")
    let waves = Scale.choose("times that all is said", 4, long: 10)
    let loads: [(name: String, framing: Framing, waves: Int)] = [
        ("nul", .nul, 1), ("nul, \(waves) times", .nul, waves), ("chunk", .chunk, 1),
        ("chunk, \(waves) times", .chunk, waves),
    ]
    var memory: [ListenerProcess.Memory] = []
    for load in loads {
        let scenario = RoomScenario(name: load.name, framing: load.framing, clients: 50, messages: 20_000)
        memory.append(try await ListenerProcess(scenario, waves: load.waves).memoryUnderLoad())
    }
    Table.columns(
        loads.map(\.name),
        [
            ("before", memory.map { "\($0.before)" }),
            ("after", memory.map { "\($0.after)" }),
            ("highest (VmHWM)", memory.map { "\($0.highest)" }),
        ])
    return zip(loads, memory).compactMap { load, memory in
        memory.highest < residentLimit
            ? nil : "a listener (\(load.name)) takes \(memory.highest) KiB, not under \(residentLimit)"
    }
}

private func tenths(_ duration: Duration) -> String {
    let tenths = Int((duration / .microseconds(100)).rounded())
    return "\(tenths / 10).\(abs(tenths % 10))"
}
