import FederatedXMLStore
import Foundation

extension FileInspection {
  mutating func inspectXML() throws {
    let summary = XMLFileSummary(of: self.url)
    let isModel = summary.root == "model" && summary.rootType?.hasSuffix("DataModel") == true
    if let damage = summary.damage {
      // A damaged file of a known kind is an error; one that merely begins like XML is none of the kinds.
      if summary.isStore || isModel { throw damage }
      let verdict = damage.code == .refusedContent ? "is refused" : "is not well-formed"
      self.note = "the content begins like XML and \(verdict): \(damage)"
    } else if summary.isStore {
      self.kind = .coreDataXML
      self.uuid = summary.uuid
      self.entities = summary.contents.map { Entity(name: $0.name, rows: $0.rows) }
    } else if isModel {
      try self.inspectModel()
    } else {
      self.kind = .otherXML
      let namespace = summary.namespace.map { " in namespace \($0)" } ?? ""
      self.note = "root element \(summary.root ?? "")\(namespace)"
    }
  }
}
