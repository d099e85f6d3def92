package import ChatModel
package import Options
package import Reading
package import Rendering

/// A question to the archive that every interface asks in the same way and that has one answer as JSON.
///
/// A command makes it from its options, a server from the parameters of a request.
package protocol ArchiveOperation: Sendable {
    /// The parameters that the operation reads, without those of ``Parameter/everywhere``.
    static var parameters: [Parameter] { get }

    /// - Throws: ``UsageError`` for parameters that can't be combined.
    init(_ parameters: OperationParameters) throws

    /// Returns the answer as the command prints it with `--format json`.
    func answer(in reading: ArchiveReading, _ context: OperationContext) throws -> OperationAnswer
}

/// The clock and the zone of an operation, and facts that only the running service knows.
package struct OperationContext: Sendable {
    package var zone: Zone
    package var now: Timestamp
    /// Returns a function for an archive. That function returns true if the configuration has an account; nil if that
    /// is unknown, or the account was imported.
    package var configuration: @Sendable (ArchiveReading) throws -> Configured
    /// Returns the states of the accounts that the running listener reports; nil if none runs.
    package var listenerStatus: @Sendable () throws -> [AccountStatus]?

    /// Returns the names of the configuration's bots by account, as ``HiddenMessages/bots`` has them; called only to hide
    /// them.
    package var bots: @Sendable (ArchiveReading) -> [String: [String]]

    package typealias Configured = @Sendable (_ account: String) -> Bool?

    package init(
        zone: Zone, now: Timestamp = .now(),
        configuration: @escaping @Sendable (ArchiveReading) throws -> Configured = { _ in { _ in nil } },
        listenerStatus: @escaping @Sendable () throws -> [AccountStatus]? = { nil },
        bots: @escaping @Sendable (ArchiveReading) -> [String: [String]] = { _ in [:] }
    ) {
        (self.zone, self.now, self.configuration, self.listenerStatus) = (zone, now, configuration, listenerStatus)
        self.bots = bots
    }

    /// Returns what a query leaves out, with the names of bots if it hides them.
    package func hidden(_ choices: Set<HiddenMessages.Choice>, in reading: ArchiveReading) -> HiddenMessages {
        var hidden = HiddenMessages(choices)
        if hidden.hidesBots { hidden.bots = bots(reading) }
        return hidden
    }

    package var localTime: LocalTime { LocalTime(zone: zone) }
}

/// An answer as JSON, with the cursors of the pages beside it.
package struct OperationAnswer: Sendable {
    package var document: JSONValue
    package var older: MessageID?
    package var newer: MessageID?
    /// The limits of time that the pages beside this one keep.
    package var limit = PageLimit()

    package init(_ document: JSONValue, older: MessageID? = nil, newer: MessageID? = nil) {
        (self.document, self.older, self.newer) = (document, older, newer)
    }

    /// - Parameter ranges: Returns the ranges of a body that match a search; nil for no search.
    init(_ page: Page, groups: [HitGroup]? = nil, ranges: BodyRanges? = nil) {
        self.init(page.json(groups: groups, ranges: ranges), older: page.older, newer: page.newer)
    }

    init<Element>(_ elements: [Element], as listing: Listing<Element>, leftOut: [SkippedAccount]) {
        self.init(listing.document(elements, leftOut: leftOut))
    }

    /// The document on one line, with a line feed, as commands print it.
    package var json: String { document.text + "\n" }
}
