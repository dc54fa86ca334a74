/// An element of a model file that the library does not understand, kept whole so that a rewrite loses nothing.
public struct ModelFileElement: Hashable, Sendable {
  public var name: String
  /// In the order of the file.
  public var attributes: [Attribute]
  public var children: [ModelFileElement]
  /// Text directly inside; empty when it is white space alone.
  public var text: String

  public struct Attribute: Hashable, Sendable {
    public var name: String
    public var value: String

    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  public init(
    _ name: String, attributes: [Attribute] = [], children: [ModelFileElement] = [], text: String = ""
  ) {
    self.name = name
    self.attributes = attributes
    self.children = children
    self.text = text
  }
}
