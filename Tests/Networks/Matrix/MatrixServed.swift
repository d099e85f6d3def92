import Archive
import ChatModel
import Matrix
import Reading
import TestSupport

/// Tests of a listener at a real homeserver.
protocol MatrixServed {
    var server: MatrixServer { get }
    var archiving: MatrixArchiving { get }
}

extension MatrixServed {
    func credentials(_ person: MatrixServer.Person) -> MatrixCredentials {
        MatrixCredentials(user: person.id, password: person.password)
    }

    func rooms() async throws -> [Room] { try archiving.archive.reading().roomList() }

    /// Waits until a room is listed in this way.
    func wait(_ what: String, until isSo: @escaping (Room) -> Bool) async throws {
        try await eventually(what) { () -> Bool? in
            try await rooms().contains(where: isSo) ? true : nil
        }
    }
}
