import ChatModel

extension ImportedMessage {
    /// Returns the message in parts of at most `limit` bytes: the first with as many of its earlier texts, files and
    /// reactions as fit, each further one the same message with more of them. The store completes the message of the
    /// first part by the others.
    ///
    /// - Returns: Nil if the message itself, or with one of them, is larger than the limit.
    func parts(ofBytes limit: Int) -> [ImportedMessage]? {
        guard bytes > limit else { return [self] }
        let whole = withTimesOfVersions
        var parts = [whole.withoutExtras]
        var rest = parts[0]
        rest.raw = nil
        let size = rest.bytes
        var used = size
        guard size <= limit else { return nil }
        for add in whole.extras {
            var alone = rest
            add(&alone)
            let added = alone.bytes - size
            guard size + added <= limit else { return nil }
            if used + added > limit { (parts, used) = (parts + [rest], size) }
            add(&parts[parts.count - 1])
            used += added
        }
        return parts
    }

    private var withoutExtras: ImportedMessage {
        var copy = self
        (copy.versions, copy.files, copy.reactions) = ([], [], [])
        copy.exact?.versions = []
        copy.exact?.files = []
        copy.exact?.reactions = []
        return copy
    }

    /// The earlier texts, files and reactions, each as a function that adds it.
    private var extras: [(inout ImportedMessage) -> Void] {
        let own: [(inout ImportedMessage) -> Void] =
            versions.map { version in { $0.versions.append(version) } }
            + files.map { file in { $0.files.append(file) } }
            + reactions.map { reaction in { $0.reactions.append(reaction) } }
        guard let exact else { return own }
        return own + exact.versions.map { version in { $0.exact?.versions.append(version) } }
            + exact.files.map { file in { $0.exact?.files.append(file) } }
            + exact.reactions.map { reaction in { $0.exact?.reactions.append(reaction) } }
    }

    /// The message with the times that the store gives its texts: each version is later than the one before it, and the
    /// present text is later than the last. Otherwise these times would depend on the versions of the same part.
    private var withTimesOfVersions: ImportedMessage {
        let first = exact == nil ? time.advanced(byMicroseconds: resolution.microseconds - 1) : time
        var last = max(place ?? time, first)
        var ordered = exact?.versions ?? versions
        for index in ordered.indices {
            if index > 0 { ordered[index].at = max(ordered[index].at, last.advanced(byMicroseconds: 1)) }
            last = max(last, ordered[index].at)
        }
        guard !ordered.isEmpty else { return self }
        var copy = self
        copy.editedAt = max(editedAt ?? last, last.advanced(byMicroseconds: 1))
        if exact == nil { copy.versions = ordered }
        copy.exact?.versions = ordered
        return copy
    }
}

extension ImportTally {
    /// Returns the counts of one message from those of its parts: it counts once, as new if any part was new, else as
    /// changed if any part changed it.
    init(ofParts parts: [ImportTally]) {
        let sum = parts.reduce(ImportTally(), +)
        self.init(
            new: min(sum.new, 1), changed: sum.new > 0 ? 0 : min(sum.changed, 1),
            known: sum.new + sum.changed > 0 ? 0 : min(sum.known, 1), failed: min(sum.failed, 1),
            expired: sum.new + sum.changed + sum.known > 0 ? 0 : min(sum.expired, 1))
    }
}
