import IRCWire

/// The present names of rooms, by former ones. Each operation takes constant time, however many names there are.
struct RoomRenames: Sendable {
    /// The limit of names, present ones included. Above it, all names are forgotten until the next connection reads
    /// them from the archive.
    static let maximumNames = 10_000

    /// The numbers of rooms by their former names, folded.
    private var formers: [[UInt8]: Int] = [:]
    /// The numbers of rooms by their present names, folded.
    private var numbers: [[UInt8]: Int] = [:]
    /// The present names as the server sent them.
    private var names: [Int: [UInt8]] = [:]
    private var lastNumber = 0

    /// - Parameter renames: Present names by folded former names.
    init(_ renames: [[UInt8]: [UInt8]], mapping: CaseMapping) {
        for (former, name) in renames.prefix(Self.maximumNames) {
            formers[former] = number(mapping.fold(name), called: name)
        }
    }

    /// Returns the present name of the room with that former name; nil if no room had it.
    ///
    /// - Parameter former: The folded name.
    func currentName(of former: [UInt8]) -> [UInt8]? {
        formers[former].flatMap { names[$0] }
    }

    /// Notes a rename.
    ///
    /// - Parameters:
    ///   - former: The room's name until now, folded.
    ///   - folded: The folded new name, which is not a former name of any room from here on.
    mutating func rename(_ former: [UInt8], to name: [UInt8], folded: [UInt8]) {
        if formers.count + names.count >= Self.maximumNames { (formers, numbers, names) = ([:], [:], [:]) }
        let number = number(former, called: name)
        numbers[former] = nil
        numbers[folded] = number
        formers[former] = number
        formers[folded] = nil
    }

    /// Renames the room that has the name `currentName`, and returns its number; a new number if no room has that name.
    private mutating func number(_ currentName: [UInt8], called name: [UInt8]) -> Int {
        let number = numbers[currentName] ?? lastNumber + 1
        lastNumber = max(lastNumber, number)
        numbers[currentName] = number
        names[number] = name
        return number
    }
}
