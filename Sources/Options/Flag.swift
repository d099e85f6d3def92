/// A parameter with a name and without a value: `--all`.
///
///     @Flag("all", help: "All rooms of all accounts.") var all = false
@propertyWrapper
package struct Flag<Value> {
    private var cell: ValueCell<Value>

    package var wrappedValue: Value {
        get { cell.known }
        set { cell = ValueCell(cell.parameter, set: newValue) }
    }
}

extension Flag: Sendable where Value: Sendable {}

/// The opposite of a flag.
package enum FlagInversion { case prefixedNo }

extension Flag<Bool> {
    package init(wrappedValue: Bool, _ parameter: Parameter) {
        cell = ValueCell(parameter.flag(.flag), wrappedValue, flag: { $0 })
    }

    package init(wrappedValue: Bool, _ name: String, short: Character? = nil, help: String) {
        self.init(wrappedValue: wrappedValue, Parameter(name, .flag, short: short, help))
    }
}

extension Flag<Bool?> {
    /// A flag with its opposite: `--oneline` and `--no-oneline`. The last one counts; nil without both.
    package init(_ name: String, inversion: FlagInversion, help: String) {
        cell = ValueCell(Parameter(name, .flag, help).flag(.invertedFlag), .some(nil), flag: { $0 })
    }
}

extension Parameter {
    fileprivate func flag(_ form: Form) -> Parameter {
        var parameter = self
        parameter.form = form
        return parameter
    }
}
