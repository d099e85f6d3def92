import IRCWire

/// What rooms are called today that had other names before; each step takes the same time, however many names there were.
struct RoomRenames: Sendable {
    /// Names remembered, today's included. Past it all are forgotten until the next connection, which has them from the archive.
    static let maximumNames = 10_000

    /// Numbers of rooms by their former names, folded.
    private var formers: [[UInt8]: Int] = [:]
    /// Numbers of rooms by their names of today, folded.
    private var numbers: [[UInt8]: Int] = [:]
    /// As sent.
    private var names: [Int: [UInt8]] = [:]
    private var lastNumber = 0

    /// - Parameter renames: Names of today by folded former names.
    init(_ renames: [[UInt8]: [UInt8]], mapping: CaseMapping) {
        for (former, name) in renames.prefix(Self.maximumNames) {
            formers[former] = number(mapping.fold(name), called: name)
        }
    }

    /// - Parameter former: Folded; nil where no room had that name.
    func today(of former: [UInt8]) -> [UInt8]? {
        formers[former].flatMap { names[$0] }
    }

    /// - Parameters:
    ///   - former: The room's name until now, folded.
    ///   - folded: The folded new name, which is no room's former name from here on.
    mutating func note(_ former: [UInt8], is name: [UInt8], folded: [UInt8]) {
        if formers.count + names.count >= Self.maximumNames { (formers, numbers, names) = ([:], [:], [:]) }
        let number = number(former, called: name)
        numbers[former] = nil
        numbers[folded] = number
        formers[former] = number
        formers[folded] = nil
    }

    /// The number of the room that has the name today, a new one where none has; from here on it is called otherwise.
    private mutating func number(_ today: [UInt8], called name: [UInt8]) -> Int {
        let number = numbers[today] ?? lastNumber + 1
        lastNumber = max(lastNumber, number)
        numbers[today] = number
        names[number] = name
        return number
    }
}
