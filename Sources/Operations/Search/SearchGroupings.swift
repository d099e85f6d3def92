import ChatModel
import Reading

extension SearchOperation {
    /// The properties by which hits are counted: one, or several that are crossed.
    package struct Groupings: Sendable, Hashable {
        /// Not empty, each property once.
        package let all: [Grouping]

        /// The limit of properties: a table of more has hardly two hits in a row.
        private static let limit = 3

        /// Makes the grouping by one property.
        package init(_ grouping: Grouping) { all = [grouping] }

        /// Reads names with commas between them: `hour,user`.
        ///
        /// - Throws: ``UsageError`` for an unknown name, one that is given twice, and too many.
        package init(parameter text: String) throws {
            let names = text.split(separator: ",", omittingEmptySubsequences: false)
            let known = names.compactMap { Grouping(rawValue: String($0)) }
            guard known.count == names.count, (1...Self.limit).contains(known.count), Set(known).count == known.count
            else {
                throw UsageError(
                    "use \(Grouping.allCases.map(\.rawValue).joined(separator: ", ")), or up to \(Self.limit) of them, "
                        + "such as hour,user")
            }
            all = known
        }

        /// The names, as they are given.
        package var names: [String] { all.map(\.rawValue) }

        /// True for one property that is a unit of time.
        var isTime: Bool { all.count == 1 && all[0].unit != nil }

        /// Returns the grouping of hits.
        func hits(in zone: Zone) -> HitGrouping {
            guard all.count == 1 else { return .crossed(all.map(\.property), zone) }
            return switch all[0].property {
            case .room: .room
            case .user: .user
            case .time(let unit): .time(unit, zone)
            }
        }

        /// Returns the rows to keep: of rooms and people the first ones, of times the last ones. A row of several properties
        /// is the value of the first one, with all that belongs to it.
        func kept(_ rows: Int, of counts: [HitCount]) -> [HitCount] {
            guard all.count > 1 else {
                return Array(all[0].unit == nil ? counts.prefix(rows) : counts.suffix(rows))
            }
            func subject(_ count: HitCount) -> [String?] { [all[0].unit == nil ? count.account : nil, count.name] }
            var subjects: [[String?]] = []
            for count in counts where subjects.last != subject(count) { subjects.append(subject(count)) }
            let kept = Set(all[0].unit == nil ? subjects.prefix(rows) : subjects.suffix(rows))
            return counts.filter { kept.contains(subject($0)) }
        }
    }
}

extension SearchOperation.Grouping {
    /// The unit of time; nil for rooms and people.
    var unit: TimeUnit? { TimeUnit(rawValue: rawValue) }

    fileprivate var property: HitProperty {
        switch self {
        case .room: .room
        case .user: .user
        case .year, .month, .day, .weekday, .hour: .time(unit ?? .day)
        }
    }
}
