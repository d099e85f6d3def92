import Bytes
import ChatModel
import FoundationEssentials
import Reading

extension ExportRun {
    /// Returns those of some months that have messages or reactions of people whose key or earlier names are others than in the
    /// records of the earlier run, or who have become the account's own. Each line of an exact format has these of its sender.
    func monthsOfChangedPeople(_ months: [ExportPlan.Month]) throws -> [ExportPlan.Key] {
        guard request.format.isExact else { return [] }
        var earlier = EarlierPeople()
        _ = try folder.forEachChunk(of: JSONLinesExport.recordsFile) { earlier.read($0) }
        var changed: [UserIdentity.Former] = []
        try source.people { person in
            if let first = person.first, earlier.differ(from: person) { changed.append(first) }
        }
        guard !changed.isEmpty else { return [] }
        let people = try source.numbers(of: changed)
        return try months.filter { month in
            if isStopped() { throw ExportStopped() }
            return try source.hasMessages(
                of: people, room: month.unit.roomID, after: month.after, before: month.before)
        }.map(\.key)
    }
}

/// The people in the records of an earlier run.
private struct EarlierPeople {
    private var lines = LineBuffer(limit: ExportManifest.maximumLine)
    private var byFirstName: [UserIdentity.Former: UserRecord] = [:]
    private var byKey: [ExactString: UserRecord] = [:]
    private let decoder = JSONDecoder()

    /// Takes the next bytes of the records. Ignores what is not a person.
    mutating func read(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while let line = lines.next(in: &rest) {
            guard !line.isCut, line.bytes.firstRange(of: Self.mark) != nil,
                case .user(let person)? = try? decoder.decode(ArchiveRecord.self, from: Data(line.bytes))
            else { continue }
            if let first = person.first { byFirstName[first] = person }
            if let key = person.key { byKey[ExactString(key)] = person }
        }
    }

    private static let mark = Array(#""record":"user""#.utf8)

    /// Returns true if a person was there with another key or other names, except later ones. A person who was not there has no
    /// messages in earlier months.
    func differ(from person: UserRecord) -> Bool {
        let named = person.first.flatMap { byFirstName[$0] }
        guard let known = named ?? person.key.flatMap({ byKey[ExactString($0)] }) else { return false }
        let hasSameNames = zip(known.names, person.names).allSatisfy {
            $0.name.isExactly($1.name) && $0.firstSeen == $1.firstSeen
        }
        return known.key.map(ExactString.init) != person.key.map(ExactString.init) || known.isSelf != person.isSelf
            || !hasSameNames || known.names.count > person.names.count
    }
}

extension UserRecord {
    /// The first name, by which a person without a key is known.
    fileprivate var first: UserIdentity.Former? {
        names.first.map { UserIdentity.Former(name: $0.name, firstSeen: $0.firstSeen) }
    }
}
