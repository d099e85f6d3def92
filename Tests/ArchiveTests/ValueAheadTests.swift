import Synchronization
import Testing

@testable import Files

struct ValueAheadTests {
    private struct Failure: Error {}

    @Test func `a value is made once, for every caller`() throws {
        let calls = Atomic(0)
        let numbers = (0..<100).map { number in
            ValueAhead {
                calls.add(1, ordering: .relaxed)
                return number
            }
        }
        for (number, value) in numbers.enumerated() {
            #expect(try value.value() == number)
            #expect(try value.value() == number)
        }
        #expect(calls.load(ordering: .relaxed) == 100)
    }

    @Test func `an error of making a value is thrown to the caller`() {
        let value = ValueAhead<Int> { throw Failure() }
        #expect(throws: Failure.self) { try value.value() }
        #expect(throws: Failure.self) { try value.value() }
    }

    @Test func `a value is made with the limit of the task that asked for it`() throws {
        let limit = ReadLimit()
        let value = ReadLimit.$current.withValue(limit) { ValueAhead { ReadLimit.current } }
        #expect(try value.value() === limit)
    }
}
