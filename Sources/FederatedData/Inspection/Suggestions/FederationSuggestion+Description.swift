import FederatedModel
import FederatedStore
import Foundation

extension FederationSuggestion: CustomStringConvertible {
  /// The entities of each file with their attributes, the links between them, and what is to be decided by hand.
  public var description: String {
    var lines: [String] = []
    for store in self.stores {
      lines.append("\(store.url.lastPathComponent) (\(store.type)), as \(store.name)")
      if let own = store.ownEntities { lines.append("  \(own.joined(separator: ", "))") }
      for entity in store.entities { lines += entity.lines.map { "  \($0)" } }
    }
    if !self.links.isEmpty { lines.append("links") }
    lines += self.links.map { "  \($0)" }
    if !self.notes.isEmpty { lines.append("notes") }
    lines += self.notes.map { "  \($0)" }
    return lines.joined(separator: "\n")
  }
}

extension SuggestedEntity {
  fileprivate var lines: [String] {
    let key = self.key.isEmpty ? "" : ", key \(self.key.joined(separator: ", "))"
    let rows = "\(self.rows) \(self.rows == 1 ? "row" : "rows")"
    return ["\(self.name): \(self.place)\(key), \(rows)"]
      + self.attributes.map { attribute in
        let type = "\(attribute.proposal.type)\(attribute.isOptional ? "?" : "")"
        let format = FormatText(attribute.proposal.format).phrase.map { " as \($0)" } ?? ""
        return "  \(attribute.name): \(attribute.place), \(type)\(format)"
      }
      + self.relationships.map { "  \($0.name): \($0.isToMany ? "many" : "one") \($0.destination)" }
  }
}
