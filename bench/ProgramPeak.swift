import Foundation

extension Program {
    /// A run, and what it took.
    struct Peak {
        var run: Run
        /// KiB resident at most (VmHWM). The kernel's own count (`ru_maxrss`) begins with what this process has.
        var memory: Int

        /// What it said, on stdout and stderr.
        var said: String { String(decoding: run.output, as: UTF8.self) }
        var seconds: Double { run.wall / .seconds(1) }
    }

    /// Runs it and looks every 10 ms how much memory it had. What it says must fit a pipe (64 KiB).
    func watch(_ arguments: [String]) throws -> Peak {
        let start = ContinuousClock.now
        let process = try ChildProcess(path, arguments, capturesOutput: true, capturesErrors: true)
        var memory = 0
        // One that has ended has none, and waits for us.
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
