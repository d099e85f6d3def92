import CPCRE2
import Synchronization

/// A regular expression of PCRE2, with Perl's syntax, over UTF-8: `\w`, `\d` and `\b` cover every script, by any version
/// of PCRE2 (``WordPattern``).
///
/// Its work from one place of a text is bounded for any expression and any text. From all places of a long text it takes
/// up to a minute *(measured)*, so a match of a long text can be stopped.
package final class RegularExpression: Sendable {
    /// The limit of steps from one place of a text (`match_limit`): `(a+)+$` against 10,000 `a` stops after 0.3 ms
    /// *(measured)*.
    private static let steps: UInt32 = 200_000
    /// The bytes of a text up to which a match is not stopped: that takes 0.3 s at most *(measured)*.
    private static let shortText = 1024
    /// The memory of one match besides the compiled code's own, in KiB.
    private static let kibibytes: UInt32 = 16_384
    /// The longest expression, in bytes of UTF-8.
    package static let maximumBytes = 4096
    /// The limit of ranges that are found in one text.
    static let maximumRanges = 1000

    /// Lists of alternatives, of which each text with a match has one (``RequiredLetters``).
    package let requiredLetters: [[String]]
    /// The pattern for PCRE2, in UTF-8.
    private let pattern: [UInt8]
    private let code: Code
    /// The code that asks before each item whether to stop, which makes it slower; nil before its first use.
    private let stoppableCode = Mutex<Code?>(nil)
    // Does not change after its creation, so threads may share it (PCRE2).
    nonisolated(unsafe) private let limits: OpaquePointer

    /// A compiled pattern.
    private final class Code: Sendable {
        // Does not change after its creation, so threads may share it (PCRE2).
        nonisolated(unsafe) let pointer: OpaquePointer

        init(_ pattern: [UInt8], options: UInt32 = 0) throws(RegularExpressionError) {
            pointer = try RegularExpression.compiled(pattern, options: options)
            // Ignores a failure, for instance without executable memory. Matching is slower in that case.
            pcre2_jit_compile_8(pointer, UInt32(PCRE2_JIT_COMPLETE))
        }

        deinit { pcre2_code_free_8(pointer) }
    }

    /// - Returns: A code to free with `pcre2_code_free_8`.
    private static func compiled(
        _ pattern: [UInt8], options: UInt32
    ) throws(RegularExpressionError) -> OpaquePointer {
        var (failure, offset) = (Int32(0), 0)
        let options = options | UInt32(PCRE2_UTF) | UInt32(PCRE2_UCP) | PCRE2_NEVER_BACKSLASH_C
        guard let code = pcre2_compile_8(pattern, pattern.count, options, &failure, &offset, nil) else {
            throw RegularExpressionError(
                detail: sentence(failure), before: String(decoding: pattern.prefix(offset), as: UTF8.self))
        }
        return code
    }

    /// Returns the pattern for PCRE2, in which `\w` and `\b` know every script.
    ///
    /// - Throws: ``RegularExpressionError`` with the place of a mistake in the given pattern.
    private static func rewritten(_ pattern: [UInt8]) throws(RegularExpressionError) -> [UInt8] {
        guard WordPattern.mayChange(pattern) else { return pattern }
        let code = try compiled(pattern, options: UInt32(PCRE2_AUTO_CALLOUT))
        defer { pcre2_code_free_8(code) }
        return WordPattern(pattern, compiled: code).rewritten
    }

    /// - Throws: ``RegularExpressionError`` if the pattern is invalid or longer than ``maximumBytes``.
    package init(_ pattern: String) throws(RegularExpressionError) {
        let bytes = Array(pattern.utf8)
        guard bytes.count <= Self.maximumBytes else {
            throw RegularExpressionError(detail: "longer than \(Self.maximumBytes) bytes", before: "")
        }
        let rewritten = try Self.rewritten(bytes)
        let code: Code
        do {
            code = try Code(rewritten)
        } catch  where rewritten != bytes {
            // The pattern itself has no mistake: what replaces its items is too large.
            throw RegularExpressionError(detail: error.detail, before: "")
        }
        guard let limits = Self.limits() else { throw RegularExpressionError(detail: "no memory for it", before: "") }
        (self.pattern, self.code, self.limits) = (rewritten, code, limits)
        requiredLetters = RequiredLetters(of: pattern).lists
    }

    deinit { pcre2_match_context_free_8(limits) }

    private static func limits() -> OpaquePointer? {
        guard let limits = pcre2_match_context_create_8(nil) else { return nil }
        pcre2_set_match_limit_8(limits, steps)
        pcre2_set_heap_limit_8(limits, kibibytes)
        return limits
    }

    /// Returns true if any part of the text matches; nil if the limits stopped the match.
    package func matches(_ text: String) -> Bool? {
        withMatching(of: text) { match in match(0).isMatch }
    }

    /// Returns true if any part of the text matches; nil if the limits or `stop` stopped the match.
    ///
    /// - Parameter stop: Returns true to stop the match of a long text; called often.
    package func matches(_ text: String, stop: () -> Bool) -> Bool? {
        withMatching(of: text, stop: stop) { match in match(0).isMatch }
    }

    /// - Parameter body: Receives a function that returns the first match from a UTF-8 offset on.
    private func withMatching<T>(
        of text: String, stop: () -> Bool, _ body: ((_ offset: Int) -> Match) -> T
    ) -> T {
        guard text.utf8.count > Self.shortText, let code = stoppable, let limits = Self.limits() else {
            return withMatching(of: text, body)
        }
        defer { pcre2_match_context_free_8(limits) }
        return withoutActuallyEscaping(stop) { stop in
            let check = StopCheck(stop)
            pcre2_set_callout_8(
                limits, { _, check in check.map(StopCheck.isTimeToStop) == true ? PCRE2_ERROR_CALLOUT : 0 },
                Unmanaged.passUnretained(check).toOpaque())
            return withExtendedLifetime(check) {
                withMatching(of: text, code: code.pointer, limits: limits, body)
            }
        }
    }

    private var stoppable: Code? {
        stoppableCode.withLock { code in
            if code == nil { code = try? Code(pattern, options: UInt32(PCRE2_AUTO_CALLOUT)) }
            return code
        }
    }

    /// Asks now and then whether to stop.
    private final class StopCheck {
        /// The number of items between two questions.
        private static let interval = 1024

        private let stop: () -> Bool
        private var count = 0

        init(_ stop: @escaping () -> Bool) { self.stop = stop }

        static func isTimeToStop(_ check: UnsafeMutableRawPointer) -> Bool {
            let check = Unmanaged<StopCheck>.fromOpaque(check).takeUnretainedValue()
            check.count += 1
            return check.count % interval == 0 && check.stop()
        }
    }

    /// Returns the ranges to highlight: in order, none empty, no overlaps, at most ``maximumRanges``. Stops early when
    /// the limits or `stop` stop a match.
    ///
    /// - Parameter stop: Returns true to stop in a long text; called often. Nil for the faster code that never asks.
    package func ranges(in text: String, stop: (() -> Bool)? = nil) -> [Range<String.Index>] {
        func ranges(_ match: (_ offset: Int) -> Match) -> [Range<String.Index>] {
            var ranges: [Range<String.Index>] = []
            var next = text.startIndex
            while next < text.endIndex, ranges.count < Self.maximumRanges,
                case .found(let found) = match(text.utf8.distance(from: text.startIndex, to: next))
            {
                let start = text.utf8.index(text.startIndex, offsetBy: found.lowerBound)
                let end = text.utf8.index(start, offsetBy: found.count)
                if start < end { ranges.append(start..<end) }
                guard end < text.endIndex else { break }
                next = start < end ? end : text.unicodeScalars.index(after: end)
            }
            return ranges
        }
        return stop.map { withMatching(of: text, stop: $0, ranges) } ?? withMatching(of: text, ranges)
    }

    private enum Match {
        case found(Range<Int>)
        case none
        /// The match needed too many steps or too much memory, or was stopped.
        case limitExceeded

        var isMatch: Bool? {
            switch self {
            case .found: true
            case .none: false
            case .limitExceeded: nil
            }
        }
    }

    /// - Parameter body: Receives a function that returns the first match from a UTF-8 offset on.
    private func withMatching<T>(of text: String, _ body: ((_ offset: Int) -> Match) -> T) -> T {
        withMatching(of: text, code: code.pointer, limits: limits, body)
    }

    private func withMatching<T>(
        of text: String, code: OpaquePointer, limits: OpaquePointer, _ body: ((_ offset: Int) -> Match) -> T
    ) -> T {
        var text = text
        return text.withUTF8 { bytes in
            let data = pcre2_match_data_create_8(1, nil)
            defer { pcre2_match_data_free_8(data) }
            return body { offset in
                // A native string's UTF-8 is always valid.
                let result = pcre2_match_8(
                    code, bytes.baseAddress, bytes.count, offset, PCRE2_NO_UTF_CHECK, data, limits)
                guard result != PCRE2_ERROR_NOMATCH else { return .none }
                guard result >= 0, let ends = pcre2_get_ovector_pointer_8(data), ends[0] <= ends[1] else {
                    return .limitExceeded
                }
                return .found(ends[0]..<ends[1])
            }
        }
    }

    /// Tests texts one after the other, in the same memory. Only one thread at a time may use it.
    package final class TextTester: @unchecked Sendable {
        // @unchecked: one thread at a time uses `data`.
        private let expression: RegularExpression
        private let data: OpaquePointer?

        package init(_ expression: RegularExpression) {
            self.expression = expression
            data = pcre2_match_data_create_8(1, nil)
        }

        deinit { pcre2_match_data_free_8(data) }

        /// Returns true if any part of a text matches; nil if the limits or `stop` stopped the match.
        ///
        /// - Parameters:
        ///   - bytes: The text in UTF-8. Invalid bytes count as U+FFFD.
        ///   - stop: Returns true to stop the match of a long text; called often.
        package func matches(_ bytes: UnsafeBufferPointer<UInt8>, stop: () -> Bool) -> Bool? {
            guard let data, let start = bytes.baseAddress, bytes.count <= RegularExpression.shortText else {
                return expression.matches(String(decoding: bytes, as: UTF8.self), stop: stop)
            }
            // PCRE2 checks a text with other characters, which takes as long as matching it.
            let options = Self.isASCII(UnsafeRawBufferPointer(bytes)) ? PCRE2_NO_UTF_CHECK : 0
            let result = pcre2_match_8(
                expression.code.pointer, start, bytes.count, 0, options, data, expression.limits)
            if result >= 0 { return true }
            if result == PCRE2_ERROR_NOMATCH { return false }
            guard (PCRE2_ERROR_UTF8_ERR21...PCRE2_ERROR_UTF8_ERR1).contains(result) else { return nil }
            return expression.matches(String(decoding: bytes, as: UTF8.self), stop: stop)
        }

        private static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
            var (all, place) = (UInt64(0), 0)
            while place + 8 <= bytes.count {
                all |= bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                place += 8
            }
            while place < bytes.count {
                all |= UInt64(bytes[place])
                place += 1
            }
            return all & 0x8080_8080_8080_8080 == 0
        }
    }

    private static func sentence(_ failure: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = pcre2_get_error_message_8(failure, &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(0, Int(count))), as: UTF8.self)
    }
}

/// The reason why a text is not a regular expression.
package struct RegularExpressionError: Error, Hashable {
    /// A reason for people.
    package let detail: String
    /// The part of the pattern before the fault.
    package let before: String
}
