internal import FederatedModel
internal import FederatedStore

extension XMLMappingCheck {
  /// Parses a path whose prefixes the mapping knows.
  mutating func path(_ text: String, _ place: [String]) -> XMLPath? {
    let path: XMLPath
    do throws(XMLPathError) { path = try XMLPathParser.parse(text) } catch {
      self.fault(place, "column \(error.column) of the path '\(text)': \(error.message)")
      return nil
    }
    for name in path.names where !name.prefix.isEmpty && self.mapping.namespaces[name.prefix] == nil {
      self.fault(
        place,
        "column \(name.column) of the path '\(text)': the prefix '\(name.prefix)' has no namespace; add it to "
          + "\"namespaces\"")
      return nil
    }
    return path
  }

  /// Parses a path that begins at a record.
  mutating func relativePath(_ text: String, _ place: [String]) -> XMLPath? {
    guard let path = self.path(text, place) else { return nil }
    if path.isAbsolute {
      self.fault(place, "'\(text)' begins at the root; a path here begins at the record, without /")
      return nil
    }
    return path
  }
}

extension XMLPath {
  /// All names, in order.
  var names: [XMLPathName] {
    var names: [XMLPathName] = []
    for step in self.steps {
      if case .name(let name) = step.test { names.append(name) }
      names += step.filters.map(\.name)
    }
    if case .attribute(let name) = self.end { names.append(name) }
    return names
  }
}
