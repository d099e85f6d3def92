import Foundation

extension Program {
    /// A finished run of a program with its peak memory.
    struct Peak {
        var run: Run
        /// The peak resident memory in KiB (VmHWM). The kernel's own count (`ru_maxrss`) would begin with the memory of
        /// this process.
        var memory: Int

        /// The output on stdout and stderr.
        var said: String { String(decoding: run.output, as: UTF8.self) }
        var seconds: Double { run.wall / .seconds(1) }
    }

    /// Runs the program, and reads its memory every 10 ms. The output must fit in a pipe (64 KiB).
    func watch(_ arguments: [String]) throws -> Peak {
        let start = ContinuousClock.now
        let process = try ChildProcess(path, arguments, capturesOutput: true, capturesErrors: true)
        var memory = 0
        // A process that has ended has no memory, and waits for this one.
        while let now = try? process.memory("VmHWM") {
            memory = now
            usleep(10_000)
        }
        let (status, processor) = process.wait()
        let wall = ContinuousClock.now - start
        let output = process.readOutput()
        guard status == 0 else {
            throw BenchmarkError(
                "\(path) \(arguments) ended with \(status): \(String(decoding: output, as: UTF8.self))")
        }
        return Peak(run: Run(wall: wall, processor: processor, output: output), memory: memory)
    }
}
