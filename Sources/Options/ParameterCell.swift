import Glibc

/// The place of a parameter's value in a command that is being read.
///
/// It is `Sendable`, because only the reader of a command line writes it, before it returns the command.
package class ParameterCell: @unchecked Sendable {
    fileprivate(set) var parameter: Parameter
    fileprivate(set) var isGiven = false

    fileprivate init(_ parameter: Parameter) { self.parameter = parameter }

    /// True for a parameter that must be given and is not.
    var isMissing: Bool { false }

    /// The parameter with its values and its default.
    var described: Parameter { parameter }

    /// Reads a value. Returns false for a word that is not one.
    ///
    /// - Throws: ``ValidationError`` for a number out of its range, and the errors of the command's own reading.
    func takeWord(_ word: String) throws -> Bool { false }

    /// Sets a flag.
    func set(_ isOn: Bool) {}
}

final class ValueCell<Value>: ParameterCell, @unchecked Sendable {
    /// The value; nil for a parameter that must be given and is not.
    private(set) var value: Value?
    private let reading: (String, Value?) throws -> Value?
    private let flag: ((Bool) -> Value)?
    private let describe: (inout Parameter, Value?) -> Void

    /// Makes the cell, and adds it to the command that is being made.
    ///
    /// - Parameters:
    ///   - read: Returns the value of a word after those before; nil for a word that is not a value.
    ///   - describe: Adds the values and the default to the description. Only help and errors need them.
    init(
        _ parameter: Parameter, _ value: Value?,
        flag: ((Bool) -> Value)? = nil,
        read: @escaping (String, Value?) throws -> Value? = { _, _ in nil },
        describe: @escaping (inout Parameter, Value?) -> Void = { _, _ in }
    ) {
        (self.value, reading, self.flag, self.describe) = (value, read, flag, describe)
        super.init(parameter)
        self.parameter.isOptional = value != nil
        CommandAssembly.current?.add(self)
    }

    /// Makes a cell outside of any command, for a value that the command itself has set.
    init(_ parameter: Parameter, set value: Value) {
        (self.value, reading, flag, describe) = (value, { _, _ in nil }, nil, { _, _ in })
        super.init(parameter)
    }

    override var isMissing: Bool { value == nil }

    override var described: Parameter {
        var described = parameter
        describe(&described, value)
        return described
    }

    override func takeWord(_ word: String) throws -> Bool {
        guard let read = try reading(word, isGiven ? value : nil) else { return false }
        (value, isGiven) = (read, true)
        return true
    }

    override func set(_ isOn: Bool) {
        guard let flag else { return }
        (value, isGiven) = (flag(isOn), true)
    }

    var known: Value {
        guard let value else { preconditionFailure("\(parameter.name) is read before the command line") }
        return value
    }
}

/// Collects the parameters of a command while its properties are made.
final class CommandAssembly {
    private(set) var cells: [ParameterCell] = []
    /// The checks of the groups of options, in order.
    private(set) var checks: [() throws -> Void] = []
    private var title = ""

    /// Makes a command or a group of options.
    static func make<Value>(_ body: () -> Value) -> (Value, CommandAssembly) {
        let (assembly, outer) = (CommandAssembly(), pthread_getspecific(key))
        pthread_setspecific(key, Unmanaged.passUnretained(assembly).toOpaque())
        defer { pthread_setspecific(key, outer) }
        return (body(), assembly)
    }

    /// The command that this thread makes; nil while it makes none.
    static var current: CommandAssembly? {
        pthread_getspecific(key).map { Unmanaged<CommandAssembly>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The thread's own variable: properties are made without an argument. A task-local variable costs more.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    func add(_ cell: ParameterCell) {
        if !title.isEmpty { cell.parameter.group = title }
        cells.append(cell)
    }

    /// Makes a group. The outermost title counts.
    func group<Value: ParsableArguments>(_ title: String, _ make: () -> Value) -> Value {
        let outer = self.title
        if outer.isEmpty { self.title = title }
        defer { self.title = outer }
        let value = make()
        checks.append {
            var value = value
            try value.validate()
        }
        return value
    }
}
