package import ChatModel
import Glibc
import LogFormats
import Rendering

/// A search for all logs of a home: the places of known programs first, then the other folders for some seconds.
///
/// Reads only names and the beginnings of files. Follows no links, enters no other hidden folders, and opens no file whose
/// name is that of a secret. Skips sources in version control, caches, Scrollback's own folders, and databases that a
/// program uses (``OpenFiles``).
package struct HomeSearch {
    /// The finds, in the order of their discovery.
    package private(set) var finds: [HomeFind] = []
    /// The databases that a program uses.
    package private(set) var databasesInUse: [(path: String, program: String)] = []
    /// The files at the places of programs that are not imported: how many, and the reason for the first of them.
    package private(set) var unread: [(path: String, files: Int, reason: String)] = []
    /// True if the time was over before all folders had been searched, or if they have too many files.
    package private(set) var isIncomplete = false

    private let home: String
    private let options: ImportOptions
    private let isStopped: @Sendable () -> Bool
    private let now: @Sendable () -> ContinuousClock.Instant
    private let openFiles = OpenFiles()
    private let start: ContinuousClock.Instant

    /// The end of the search: 10 s until people see the list, less what a slow disk takes to return a last file.
    private static let maximumTime = Duration.seconds(8)
    /// The time for the other folders, however long the known places take.
    private static let minimumRest = Duration.seconds(3)

    /// - Parameters:
    ///   - home: The path of the home.
    ///   - now: The clock by which the search ends.
    ///   - isStopped: Returns true if the search should stop.
    package init(
        _ home: String, options: ImportOptions, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        isStopped: @escaping @Sendable () -> Bool
    ) {
        (self.home, self.options, self.now, self.isStopped) = (home, options, now, isStopped)
        start = now()
    }

    /// Returns true for a folder that is a home: the user's own, or one with the hidden files of a home.
    ///
    /// - Parameter own: The path of the user's home; nil if it is unknown.
    package static func isHome(_ path: String, own: String?) -> Bool {
        guard FolderEntry.kind(at: path + "/.") == .folder else { return false }
        if let own, let one = ImportFile.resolved(path), one == ImportFile.resolved(own) { return true }
        return marks.contains { access(ImportFile.join(path, $0), F_OK) == 0 }
    }

    /// The files that a desktop or a shell puts into every home.
    private static let marks = [
        ".config", ".local", ".profile", ".bashrc", ".bash_history", ".zshrc", "Library/Messages",
    ]

    /// Searches the home.
    ///
    /// - Parameter onFind: Called with each find as soon as its last file is known.
    package mutating func find(onFind: (HomeFind.Facts) -> Void) {
        var visited: Set<String> = []
        for place in HomePlace.all {
            for path in place.paths(below: home) where !isStopped() && visited.insert(path).inserted {
                let path = ImportFile.join(home, path)
                let search = search(place: path)
                addFinds(search, program: place.program, onFind)
                if let left = search.leftFiles { unread.append((path, left.count, left.reason)) }
            }
        }
        addFinds(searchRest(without: visited), program: nil, onFind)
    }

    private func newSearch(_ pass: HomeRules.Pass, isOver: @escaping @Sendable () -> Bool) -> ImportSearch {
        var search = ImportSearch(options: options, report: ImportReport(isRehearsal: true), isStopped: isOver)
        search.home = HomeRules(pass, openFiles)
        return search
    }

    private func search(place path: String) -> ImportSearch {
        var search = newSearch(.place, isOver: isStopped)
        var status = stat()
        guard lstat(path, &status) == 0 else { return search }
        if status.st_mode & S_IFMT == S_IFDIR {
            search.find(inHome: path, HomeWalk(isPlace: true, isOver: isStopped), passes: [.place])
        } else {
            search.find(fileOfHome: path, size: Int64(status.st_size))
        }
        return search
    }

    private mutating func searchRest(without visited: Set<String>) -> ImportSearch {
        let end = max(start + Self.maximumTime, now() + Self.minimumRest)
        let (isStopped, now) = (isStopped, now)
        let isOver: @Sendable () -> Bool = { isStopped() || now() >= end }
        var search = newSearch(.likely, isOver: isOver)
        let isWhole = search.find(
            inHome: home, HomeWalk(isPlace: false, visited: visited, isOver: isOver), passes: [.likely, .possible])
        isIncomplete = (!isWhole || isOver()) && !isStopped()
        // The finds so far are read also when the time is over.
        search.isStopped = isStopped
        return search
    }

    // MARK: - Finds

    private struct Key: Hashable {
        var format: String
        var account: String?
        var network: String?
    }

    /// Adds the sources of a search, a find for each program and account.
    private mutating func addFinds(_ search: ImportSearch, program: String?, _ onFind: (HomeFind.Facts) -> Void) {
        databasesInUse += search.home?.inUse ?? []
        var groups: [Key: [Int]] = [:]
        for (index, source) in search.sources.enumerated() where !isStopped() {
            for (account, network) in search.beginnings.accounts(of: source) {
                groups[Key(format: source.format.name, account: account, network: network), default: []].append(index)
            }
        }
        // In the order of the first sources.
        for (key, indices) in groups.sorted(by: {
            ($0.value[0], $0.key.account ?? "") < ($1.value[0], $1.key.account ?? "")
        }) {
            let part = search.part(indices, account: key.account, network: key.network, isStopped: isStopped)
            let find = HomeFind(part, program: program, name: key.account, number: finds.count + 1)
            finds.append(find)
            onFind(find.facts)
        }
    }

    /// Keeps the finds with these numbers.
    package mutating func keep(_ numbers: Set<Int>) { finds.removeAll { !numbers.contains($0.facts.number) } }

    /// Proposes an account for each find. Logs of one network, also of several programs, go into one account.
    ///
    /// - Parameters:
    ///   - known: The accounts of the archive and of the configuration.
    ///   - logNetwork: The network of accounts that an import creates.
    package mutating func proposeAccounts(among known: [AccountIdentity], logNetwork: String) {
        var all = known
        for index in finds.indices {
            let proposal = AccountProposal(for: finds[index].search, among: all, logNetwork: logNetwork)
            let old = all.first { $0.name.utf8.elementsEqual(proposal.name.utf8) }
            let account = old ?? AccountIdentity(name: proposal.name, network: logNetwork)
            if old == nil { all.append(account) }
            finds[index].facts.account = account
            finds[index].facts.isNew = !known.contains { $0.name == account.name }
        }
    }

    /// Counts the messages of all finds. Returns false when it was stopped.
    ///
    /// - Parameter progress: Receives the work done in a find, and the find's number.
    package mutating func count(progress: (ImportRun.Done, Int) -> Void) async throws -> Bool {
        do {
            for index in finds.indices {
                let number = finds[index].facts.number
                try await finds[index].count(isStopped: isStopped) { progress($0, number) }
            }
            return true
        } catch is ImportStopped {
            return false
        }
    }
}
