import Foundation
import TestSupport
import Testing

/// The index of conformances that a release build links (`packaging/conformances.c`), in a program of its own.
@Suite(.timeLimit(.minutes(10)))
struct ConformancesTests {
    private static let source = #"""
        import Foundation

        protocol Named { var name: String { get } }
        extension Named { var name: String { "\(Self.self)" } }
        struct Plain: Named {}
        struct Other {}
        enum Choice: Named { case one }
        struct Box<Value>: Named { var value: Value }
        class Base: Named {}
        class Derived: Base {}
        class Distant: Derived {}
        class Ancestor {}
        class Descendant: Ancestor, Named {}
        class Holder<Value>: Named {}
        class Heir: Holder<[Int]> {}
        class Cell<Value> {}
        extension Cell: Named where Value: Named {}
        struct Outer<A, B> { struct Inner<C> {} }
        extension Outer.Inner: Named where A: Named, B: Sequence, B.Element: Named, C: Error {}
        final class Root {}
        @MainActor struct Isolated: @MainActor Named { var name: String { "Isolated" } }
        extension Array: Named where Element: Named {}
        extension Optional: Named where Wrapped: Named {}
        extension Range: Named where Bound: Strideable, Bound.Stride: SignedInteger {}
        extension Dictionary: Named where Key == Int {}
        extension Result: @retroactive CustomStringConvertible where Success: Comparable {
            public var description: String { "retroactive" }
        }
        // Its metadata asks for a conformance of a list of it.
        class Owner<Value: Hashable>: Named {}
        final class Node: Owner<[Node]>, Hashable {
            static func == (one: Node, other: Node) -> Bool { one === other }
            func hash(into hasher: inout Hasher) {}
        }
        extension timespec: Named {}

        let values: [Any] = [
            Plain(), Other(), Choice.one, Box(value: 1), Base(), Derived(), Holder<Int>(), Root(), Isolated(),
            [Plain()], [Other()], timespec(), timeval(), 1, (1, 2), { 1 }, Plain.self,
            Distant(), Ancestor(), Descendant(), Heir(), Cell<Plain>(), Cell<Other>(), [[Plain()]], 0..<1, 0.5..<1.5,
            Outer<Plain, [Choice]>.Inner<CancellationError>(), Outer<Plain, [Other]>.Inner<CancellationError>(),
            [Plain?.none], [1: 1], ["a": 1], Node(),
        ]
        // Twice, because the runtime keeps its answers.
        for value in values + values { print((value as? any Named)?.name ?? "-", terminator: " ") }
        let keys: [Any] = [1, "a", [1], [2: ["b"]], Set([3]), Int?.none as Any, Other()]
        print(Set(keys.compactMap { $0 as? AnyHashable }).count, terminator: " ")
        func isError<T>(_: T.Type) -> Bool { T.self is any Error.Type }
        print(isError((any Error).self), isError(Any.self), isError((any Named).self), terminator: " ")
        let results: [Any] = [Result<Int, CancellationError>.success(1), Result<Other, CancellationError>.success(Other())]
        for result in results { print((result as? any CustomStringConvertible)?.description ?? "-", terminator: " ") }
        print((0..<3).lazy.map { $0 } as Any is any RandomAccessCollection, Set([1]) as Any is any RandomAccessCollection)
        """#

    private static let answers =
        """
        Plain - Choice Box<Int> Base Derived Holder<Int> - Isolated Array<Plain> - timespec - - - - - \
        Distant - Descendant Heir Cell<Plain> - Array<Array<Plain>> Range<Int> - \
        Inner<CancellationError> - Array<Optional<Plain>> Dictionary<Int, Int> - Node \

        """

    /// With CHECK, the program ends at an answer that differs from the runtime's.
    @Test func `the index of a release build gives the answers of Swift's runtime`() async throws {
        let folder = try TemporaryFolder()
        try Self.source.write(toFile: folder.path + "/main.swift", atomically: true, encoding: .utf8)
        let script = """
            set -eu
            cd "$1"
            value() { make -s -C "$0" --eval "value: ; @echo \\$($2)" LINKED="$1" value; }
            "$(value "$1" CLANG)" -DCHECK -c -o conformances.o "$0/packaging/conformances.c"
            flags=$(value "$1" CONFORMANCES)
            # Another version of Swift has no index.
            case $(swiftc --version 2>&1) in *"Swift version 6.3"*) [ -n "$flags" ] ;; esac
            swiftc -swift-version 6 -static-stdlib -use-ld=lld -o program main.swift $flags
            ./program
            """
        let top = "\(#filePath)".components(separatedBy: "/Tests/")[0]
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let run = try await #require(Tool.find("bash"))
            .run(["-c", script, top, folder.path], environment: ["PATH": path], within: .seconds(100))
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output == Self.answers + Self.answers + "6 true false false retroactive - true false\n")
    }
}
