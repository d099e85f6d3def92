import CFuzzer
import Foundation

// Runs one target under libFuzzer: `Fuzz TARGET [OPTION …] [FOLDER …]`. `Tests/Fuzz/fuzz.py` passes the options.

/// The most processor time of one input, in seconds.
let maximumSeconds: Int32 = 1
/// The most bytes that one input may have allocated at once.
let maximumMemory = 64 << 20

func fail(_ reason: String) -> Never {
    FileHandle.standardError.write(Data("FAILED: \(reason)\n".utf8))
    abort()
}

struct Worst {
    var seconds = 0.0
    var memory = 0
}

nonisolated(unsafe) var target = FuzzTarget.all[0]
nonisolated(unsafe) var worst = Worst()

func run(_ input: [UInt8]) {
    restart_memory()
    limit_time(maximumSeconds)
    defer { limit_time(0) }
    let start = clock()
    do {
        try target.check(input)
    } catch {
        fail("broken rule: \(error)")
    }
    worst.seconds = max(worst.seconds, Double(clock() - start) / Double(CLOCKS_PER_SEC))
    worst.memory = max(worst.memory, most_memory())
}

var arguments = CommandLine.arguments
let known = FuzzTarget.all + FuzzTarget.planted
guard arguments.count > 1, let named = known.first(where: { $0.name == arguments[1] }) else {
    print(FuzzTarget.all.map(\.name).joined(separator: " "))
    exit(arguments.count > 1 ? 1 : 0)
}
target = named
arguments[1] = "-max_len=\(target.limit)"

// Makes tables and caches before memory is counted.
try? target.check([])
watch_time { fail("an input took more than 1 s") }
watch_memory(maximumMemory) { fail("an input took more than 64 MiB") }
atexit {
    print("most of one input: \(Int(worst.seconds * 1000)) ms, \(worst.memory / 1024) KiB")
}

var words = arguments.map { strdup($0) } + [nil]
var count = Int32(arguments.count)
words.withUnsafeMutableBufferPointer { words in
    var pointer = words.baseAddress
    _ = LLVMFuzzerRunDriver(&count, &pointer) { bytes, count in
        run(Array(UnsafeBufferPointer(start: bytes, count: count)))
        return 0
    }
}
