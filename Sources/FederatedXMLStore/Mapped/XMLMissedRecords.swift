internal import FederatedModel
internal import FederatedStore

/// Says why a path of a mapping may have led to nothing: mostly a namespace.
struct XMLMissedRecords {
  let diagnostics: [StoreDiagnostic]

  init(_ plan: XMLMappingPlan, _ counts: [Int], root: XMLRootName?) {
    var diagnostics: [StoreDiagnostic] = []
    for (number, record) in plan.records.enumerated() where counts[number] == 0 && !record.paths.isEmpty {
      let texts = plan.mapping.entities[record.entity.name]?.records.joined(separator: ", ") ?? ""
      let (code, reason) = XMLMissedRecords.reason(record.paths, plan.mapping, root)
      diagnostics.append(
        StoreDiagnostic(
          code, store: "", entity: record.entity.name, place: texts, "no record stands there: \(reason)"))
    }
    self.diagnostics = diagnostics
  }

  private static func reason(
    _ paths: [XMLPath], _ mapping: XMLMapping, _ root: XMLRootName?
  ) -> (StoreDiagnostic.Code, String) {
    guard let root else { return (.noRecords, "the document is empty") }
    let found = "the root is \(root.text)"
    if root.namespace != nil, mapping.namespaces.isEmpty {
      return (.namespaceMissed, "\(found); the mapping has no namespace")
    }
    for path in paths {
      guard let step = path.steps.first, !step.isDescendant, case .name(let name) = step.test else {
        continue
      }
      let namespace = mapping.namespaces[name.prefix]
      if name.local == root.name, namespace == root.namespace {
        return (.noRecords, "\(found), as the path says, and nothing inside is at the rest of it")
      }
      let wanted = namespace.map { "{\($0)}\(name.local)" } ?? name.local
      return (
        name.local == root.name ? .namespaceMissed : .noRecords, "\(found); the path begins with \(wanted)"
      )
    }
    return (.noRecords, found)
  }
}
