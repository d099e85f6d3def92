/// Finds the answer to the one request in flight among the server's messages.
///
/// Compares labels if labeled-response is enabled. Otherwise the answer is the next batch with the request's type and
/// target, or the next FAIL of its command. This is unambiguous, because there is only one request at a time.
package struct ReplyMatcher: Sendable {
    /// An answer.
    package enum Reply: Sendable, Hashable {
        case batch(Batch)
        /// `FAIL command code context… :description`, or the numeric for an unknown command.
        case failure(code: String, text: String)
        /// A batch that was too large to read and was dropped.
        case tooLarge
        /// An empty answer: a bare `ACK`.
        case nothing
    }

    private struct Request {
        var verb: String
        var label: [UInt8]?
        var batchType: String
        var target: [UInt8]?
    }

    private var request: Request?
    private var count = 0

    package init() {}

    /// True while a request has no answer.
    package var isWaiting: Bool { request != nil }

    /// Returns the request to send, with its label. Forgets an earlier one without an answer.
    ///
    /// - Parameter target: The first parameter of the answer's batch; nil if it has none.
    package mutating func request(
        _ message: IRCMessage, batchType: String, target: [UInt8]?, isLabeled: Bool
    ) -> IRCMessage {
        count += 1
        let label = isLabeled ? Array("s\(count)") : nil
        request = Request(verb: message.verb, label: label, batchType: batchType, target: target)
        var labeled = message
        labeled.tags[Array("label")] = label
        return labeled
    }

    /// Forgets the request, which will not be answered.
    package mutating func forget() {
        request = nil
    }

    /// Returns the answer, if the output is one.
    package mutating func receive(_ output: BatchCollector.Output, mapping: CaseMapping) -> Reply? {
        guard let request, let reply = reply(output, to: request, mapping) else { return nil }
        self.request = nil
        return reply
    }

    private func reply(_ output: BatchCollector.Output, to request: Request, _ mapping: CaseMapping) -> Reply? {
        switch output {
        case .batch(let batch): return answer(batch, to: request, mapping).map { .batch($0) }
        case .broken(let batch, let reason):
            return answer(batch, to: request, mapping).map { _ in
                if reason == .tooLarge { return .tooLarge }
                return .failure(code: "BROKEN_BATCH", text: "the server's answer is incomplete")
            }
        case .message(let message): return reply(message, to: request)
        case .stray: return nil
        }
    }

    private func answer(_ batch: Batch, to request: Request, _ mapping: CaseMapping) -> Batch? {
        if let label = request.label {
            guard batch.label == label else { return nil }
            // The answer is the labelled batch itself, or within a labeled-response.
            return batch.find { $0.type == request.batchType } ?? batch
        }
        return batch.find { found in
            guard found.type == request.batchType else { return false }
            guard let target = request.target else { return true }
            return mapping.fold(found.params.first ?? []) == mapping.fold(target)
        }
    }

    private func reply(_ message: IRCMessage, to request: Request) -> Reply? {
        if let label = request.label, let other = message.tag("label"), other != label { return nil }
        if message.verb == "ACK", request.label != nil, message.tag("label") == request.label { return .nothing }
        let isFailure = message.verb == "FAIL" && message.param(0, is: request.verb)
        let isUnknown = message.verb == "421" && message.param(1, is: request.verb)
        guard isFailure || isUnknown else { return nil }
        let code = isFailure ? DecodedText(message.param(1)).text : "421"
        return .failure(code: code, text: DecodedText(message.params.last ?? []).text)
    }
}

extension Batch {
    fileprivate func find(_ isWanted: (Batch) -> Bool) -> Batch? {
        if isWanted(self) { return self }
        for case .batch(let batch) in items {
            if let found = batch.find(isWanted) { return found }
        }
        return nil
    }
}
