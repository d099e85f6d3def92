import ChatModel
import Testing

@testable import Matrix

struct MatrixFetchQueueTests {
    private let room = "!r:x"
    private let other = "!s:x"

    private func fetch(_ number: Int64, _ room: String) -> MatrixFetch {
        MatrixFetch(room: room, from: nil, end: Timestamp(microseconds: number))
    }

    @Test func `a server that cuts every sync fills no memory, and the latest fetches are kept`() {
        var queue = MatrixFetchQueue()
        let isFirst = queue.add(fetch(0, room))
        let first = queue.begin(room)
        let areFirst = (1...1000).map { queue.add(fetch($0, room)) }
        #expect(isFirst && first?.end == Timestamp(microseconds: 0) && !areFirst.contains(true))
        var ends: [Int64] = []
        while queue.end(room), let next = queue.begin(room) { ends.append(next.end.microseconds) }
        #expect(ends == Array(993...1000))
        #expect(queue.fetched == [:])
    }

    @Test func `a room is fetched once at a time, and rooms do not wait for each other`() {
        var queue = MatrixFetchQueue()
        let areFirst = [queue.add(fetch(1, room)), queue.add(fetch(2, room)), queue.add(fetch(3, other))]
        #expect(areFirst == [true, false, true])
        let begun = [queue.begin(room), queue.begin(other)].map { $0?.end.microseconds }
        #expect(begun == [1, 3])
        queue.count(5, in: room)
        #expect(queue.fetched == [room: 5, other: 0])
        let areDue = [queue.end(other), queue.end(room)]
        #expect(areDue == [false, true])
        let next = queue.begin(room)?.end.microseconds
        let isDue = queue.end(room)
        let last = queue.begin(room)
        #expect(next == 2 && !isDue && last == nil)
        let isFirst = queue.add(fetch(4, room))
        #expect(isFirst)
    }
}
