import Archive
import ChatModel
import FoundationEssentials
import Logging
import Reading
import Sessions
import Settings
import Synchronization
import Writing

/// Applies the rules of one account of a running listener, in small steps between the events.
struct RetentionService: Sendable {
    private let writer: AccountWriter
    private let settings: WatchedValue<RetentionSettings>
    /// Returns what rules would remove now.
    private let plan: @Sendable (RetentionRules) async throws -> RetentionPlan
    private let status = SharedStatus()
    private let report: @Sendable (RetentionStatus) -> Void
    private let logger: Logger

    /// The time between two runs, unless the configuration has a time of day.
    private static let interval = Duration.seconds(3600)
    /// The part of the time in which the steps of a run may hold the writer.
    private static let share = 0.25

    init(
        writer: AccountWriter, settings: RetentionSettings,
        plan: @escaping @Sendable (RetentionRules) async throws -> RetentionPlan,
        report: @escaping @Sendable (RetentionStatus) -> Void = { _ in }, logger: Logger
    ) {
        (self.writer, self.settings, self.plan) = (writer, WatchedValue(settings), plan)
        (self.report, self.logger) = (report, logger)
    }

    func change(to new: RetentionSettings) {
        if settings.value != new { settings.change(to: new) }
    }

    /// Applies the rules at once, unless they have a time of day, and then at each time, until cancelled. Changed rules
    /// are applied as if the listener had just started.
    func run() async {
        for await settings in settings.values() {
            await withTaskGroup { tasks in
                tasks.addTask { await run(settings) }
                tasks.addTask { await self.settings.waitForChange(from: settings) }
                await tasks.next()
                tasks.cancelAll()
            }
            if Task.isCancelled { return }
        }
    }

    /// Notes that a command has applied rules, which then wait no longer.
    func rulesWereApplied() async {
        guard let waiting = try? await plan(settings.value.rules).waiting else { return }
        change { status in
            status.waiting = waiting
            status.appliedAt = .now()
        }
    }

    private func change(_ change: (inout RetentionStatus) -> Void) {
        report(
            status.value.withLock { status in
                change(&status)
                return status
            })
    }

    private func run(_ settings: RetentionSettings) async {
        var isFirst = true
        change { $0 = RetentionStatus() }
        while !Task.isCancelled {
            if let minute = settings.minuteOfDay {
                guard (try? await Task.sleep(for: Self.wait(until: minute, from: Date()))) != nil else { return }
            } else if !isFirst {
                guard (try? await Task.sleep(for: Self.interval)) != nil else { return }
            }
            isFirst = false
            do {
                try await writer.retention.finishForgetting()
                guard !settings.rules.isEmpty else { continue }
                let plan = try await plan(settings.rules)
                let reported = status.value.withLock(\.waiting)
                if plan.waiting != reported { warn(of: plan) }
                change { $0.waiting = plan.waiting }
                if try await apply(settings.rules.without(plan.waiting)) { change { $0.appliedAt = .now() } }
            } catch {
                logger.warning(
                    "could not apply the retention rules; retrying",
                    metadata: ["account": "\(writer.account.name)", "error": "\(error)"])
            }
        }
    }

    /// - Returns: False if it was cancelled.
    private func apply(_ rules: RetentionRules) async throws -> Bool {
        var place: PurgePlace?
        var removed: [RetentionPart: Int64] = [:]
        repeat {
            let start = ContinuousClock.now
            let progress = try await writer.retention.purge(rules, from: place, at: .now())
            removed.merge(progress.removed, uniquingKeysWith: +)
            place = progress.next
            guard place != nil else { break }
            let pause = (ContinuousClock.now - start) * (1 / Self.share - 1)
            guard (try? await Task.sleep(for: pause)) != nil else { break }
        } while true
        guard !removed.isEmpty else { return place == nil }
        logger.info(
            "applied the retention rules",
            metadata: [
                "account": "\(writer.account.name)",
                "removed":
                    "\(removed.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.value) \($0.key.rawValue)" }.joined(separator: ", "))",
            ])
        return place == nil
    }

    private func warn(of plan: RetentionPlan) {
        for rule in plan.waiting {
            logger.warning(
                "a new rule would remove more than a tenth of the account; it waits for: scrollback retention apply",
                metadata: ["account": "\(writer.account.name)", "rule": "\(rule)"])
        }
    }

    /// Returns the time until the next local day's minute.
    static func wait(until minute: Int, from now: Date, in calendar: Calendar = .current) -> Duration {
        let time = DateComponents(hour: minute / 60, minute: minute % 60)
        let next = calendar.nextDate(after: now, matching: time, matchingPolicy: .nextTime) ?? now + 86_400
        return .seconds(next.timeIntervalSince(now))
    }
}

/// The status, which commands change, too.
private final class SharedStatus: Sendable {
    let value = Mutex(RetentionStatus())
}

extension RetentionRules {
    /// Returns the rules without those that wait for the owner's decision.
    fileprivate func without(_ waiting: [String]) -> RetentionRules {
        var rules = self
        rules.waiting = Set(waiting)
        return rules
    }
}

extension WatchedValue where Value: Equatable {
    /// Returns when the value is another, or the task is cancelled.
    fileprivate func waitForChange(from old: Value) async {
        for await value in values() where value != old { return }
    }
}
