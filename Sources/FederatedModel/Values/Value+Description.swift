/// A value as a predicate's text writes it. Every value has such a text; the description of a `Date` that is
/// no number ends the process.
extension Value: CustomStringConvertible {
  public var description: String {
    var text = ""
    self.printLiteral(into: &text)
    return text
  }
}
