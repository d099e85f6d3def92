/// A word without a name. The words go to the arguments in their order; one with several values takes all that are left.
///
///     @Argument("path", help: "Files and folders.", completion: .file())
///     var paths: [String]
///
/// A property without a default must be given, unless it is optional.
@propertyWrapper
package struct Argument<Value> {
    private var cell: ValueCell<Value>

    package var wrappedValue: Value {
        get { cell.known }
        set { cell = ValueCell(cell.parameter, set: newValue) }
    }
}

extension Argument: Sendable where Value: Sendable {}

extension Argument where Value: ParameterValue {
    /// - Parameter takesUnknownOptions: True to take a word such as `-test` that is not an option.
    package init(wrappedValue: Value, _ parameter: Parameter, takesUnknownOptions: Bool = false) {
        var parameter = parameter.argument(isRepeated: Value.isRepeated)
        parameter.takesUnknownOptions = takesUnknownOptions
        cell = ValueCell(parameter, wrappedValue, read: Value.value(of:after:), describe: Value.describe)
    }

    package init(_ parameter: Parameter) {
        cell = ValueCell(
            parameter.argument(isRepeated: Value.isRepeated), Value.absent, read: Value.value(of:after:),
            describe: Value.describe)
    }

    package init(
        wrappedValue: Value, _ name: String, help: String, completion: Parameter.Completion = .none,
        takesUnknownOptions: Bool = false
    ) {
        self.init(
            wrappedValue: wrappedValue, Parameter(name, .text, help, completion: completion),
            takesUnknownOptions: takesUnknownOptions)
    }

    package init(_ name: String, help: String, completion: Parameter.Completion = .none) {
        self.init(Parameter(name, .text, help, completion: completion))
    }
}

extension Argument {
    /// An argument whose value the command reads by `transform`.
    package init(
        _ name: String, help: String, completion: Parameter.Completion = .none,
        transform: @escaping (String) throws -> Value
    ) {
        cell = ValueCell(
            Parameter(name, .text, help, completion: completion).argument(isRepeated: false), nil,
            read: { word, _ in try transform(word) })
    }
}

extension Parameter {
    fileprivate func argument(isRepeated: Bool) -> Parameter {
        var parameter = repeated(isRepeated)
        parameter.form = .argument
        return parameter
    }
}
