/// A parameter with a name and a value: `--account libera`.
///
///     @Option("account", short: "a", help: "Only this account; may be repeated.", completion: .accounts)
///     var account: [String] = []
///
/// A property without a default must be given, unless it is optional.
@propertyWrapper
package struct Option<Value> {
    private var cell: ValueCell<Value>

    package var wrappedValue: Value {
        get { cell.known }
        set { cell = ValueCell(cell.parameter, set: newValue) }
    }

    private init(
        _ parameter: Parameter, _ value: Value?, _ read: @escaping (String, Value?) throws -> Value?,
        _ describe: @escaping (inout Parameter, Value?) -> Void
    ) {
        cell = ValueCell(parameter, value, read: read, describe: describe)
    }
}

extension Option: Sendable where Value: Sendable {}

extension Option where Value: ParameterValue {
    package init(wrappedValue: Value, _ parameter: Parameter) {
        self.init(parameter.repeated(Value.isRepeated), wrappedValue, Value.reading(parameter), Value.describe)
    }

    package init(_ parameter: Parameter) {
        self.init(parameter.repeated(Value.isRepeated), Value.absent, Value.reading(parameter), Value.describe)
    }

    package init(
        wrappedValue: Value, _ name: String, short: Character? = nil, aliases: [String] = [], upTo: Int = 1,
        help: String, discussion: String = "", valueName: String? = nil, completion: Parameter.Completion = .none
    ) {
        self.init(
            wrappedValue: wrappedValue,
            Parameter(
                name, .text, short: short, aliases: aliases, upTo: upTo, valueName: valueName, help,
                discussion: discussion,
                completion: completion))
    }

    package init(
        _ name: String, short: Character? = nil, aliases: [String] = [], help: String, discussion: String = "",
        valueName: String? = nil, completion: Parameter.Completion = .none
    ) {
        self.init(
            Parameter(
                name, .text, short: short, aliases: aliases, valueName: valueName, help, discussion: discussion,
                completion: completion))
    }
}

extension Option {
    /// An option whose value the command reads by `transform`, with a default, which its help names itself.
    package init(
        wrappedValue: Value, _ parameter: Parameter, transform: @escaping (String) throws -> Value
    ) {
        self.init(parameter, wrappedValue, { word, _ in try transform(word) }, { _, _ in })
    }

    /// An optional option whose value the command reads by `transform`.
    package init<Given>(_ parameter: Parameter, transform: @escaping (String) throws -> Given) where Value == Given? {
        self.init(parameter, .some(nil), { word, _ in .some(try transform(word)) }) { _, _ in }
    }

    /// A repeated option whose values the command reads by `transform`.
    package init<Element>(
        wrappedValue: Value, _ parameter: Parameter, transform: @escaping (String) throws -> Element
    ) where Value == [Element] {
        self.init(
            parameter.repeated(true), wrappedValue, { word, before in (before ?? []).appending(try transform(word)) },
            { _, _ in })
    }

    package init<Element>(
        wrappedValue: Value, _ name: String, short: Character? = nil, help: String, valueName: String? = nil,
        completion: Parameter.Completion = .none, transform: @escaping (String) throws -> Element
    ) where Value == [Element] {
        self.init(
            wrappedValue: wrappedValue,
            Parameter(name, .text, short: short, valueName: valueName, help, completion: completion),
            transform: transform)
    }

    package init(
        wrappedValue: Value, _ name: String, short: Character? = nil, aliases: [String] = [], help: String,
        valueName: String? = nil, completion: Parameter.Completion = .none,
        transform: @escaping (String) throws -> Value
    ) {
        self.init(
            wrappedValue: wrappedValue,
            Parameter(name, .text, short: short, aliases: aliases, valueName: valueName, help, completion: completion),
            transform: transform)
    }

    package init<Given>(
        _ name: String, short: Character? = nil, aliases: [String] = [], help: String, valueName: String? = nil,
        completion: Parameter.Completion = .none, transform: @escaping (String) throws -> Given
    ) where Value == Given? {
        self.init(
            Parameter(name, .text, short: short, aliases: aliases, valueName: valueName, help, completion: completion),
            transform: transform)
    }
}

extension Parameter {
    func repeated(_ isRepeated: Bool) -> Parameter {
        var parameter = self
        parameter.isRepeated = isRepeated
        return parameter
    }
}

extension ParameterValue {
    /// Returns the reading of the parameter's values, which throws ``ValidationError`` for a number out of its range.
    fileprivate static func reading(_ parameter: Parameter) -> (String, Self?) throws -> Self? {
        guard case .number(let range) = parameter.kind else { return value(of:after:) }
        return { word, before in
            guard let number = Int(word), range.contains(number) else {
                throw ValidationError("use \(range.lowerBound) to \(range.upperBound)")
            }
            return value(of: word, after: before)
        }
    }

    static func describe(_ parameter: inout Parameter, _ value: Self?) {
        parameter.values = allArguments
        parameter.defaultText = value?.defaultText ?? ""
    }
}
