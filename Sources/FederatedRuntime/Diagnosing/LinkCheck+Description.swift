import FederatedStore

extension LinkCheck: CustomStringConvertible {
  /// A line for each property, its findings below it, and the sum of all.
  public var description: String {
    var text = ExplanationText()
    for property in self.properties + self.relationships { property.print(into: &text) }
    for diagnostic in self.diagnostics { text.line(diagnostic.description) }
    let checked = ExplanationText.count(
      self.properties.count, "fetched propert", plural: "ies", singular: "y")
    text.line("\(checked) checked, \(ExplanationText.count(self.findingCount, "finding"))")
    return text.text
  }
}

extension LinkCheck.Property: CustomStringConvertible {
  public var description: String {
    var text = ExplanationText()
    self.print(into: &text)
    return text.text
  }

  fileprivate func print(into text: inout ExplanationText) {
    var parts = [ExplanationText.count(self.sources, "source")]
    if let links = self.links {
      parts.append("\(ExplanationText.count(self.destinations, "row")) of \(self.destination)")
      parts.append(ExplanationText.count(links, "link"))
      if self.unlinkedDestinations > 0 {
        parts.append("\(ExplanationText.count(self.unlinkedDestinations, "row")) unlinked")
      }
    }
    if let note = self.note { parts.append(note) }
    text.line("\(self.entity).\(self.property): \(parts.joined(separator: ", "))")
    text.under { text in
      for finding in self.findings { finding.print(into: &text) }
    }
  }
}

extension LinkCheck.Finding {
  fileprivate func print(into text: inout ExplanationText) {
    text.line(self.detail)
    text.under { text in
      for example in self.examples {
        let found = example.found.map { "\($0) against " } ?? ""
        text.line("\(found)\(example.key): \(example.rows.joined(separator: ", "))")
      }
      let rest = self.count - self.examples.count
      if !self.examples.isEmpty, rest > 0 { text.line("… \(rest) more") }
    }
  }
}

extension ExplanationText {
  fileprivate static func count(_ number: Int, _ stem: String, plural: String, singular: String) -> String {
    "\(number) \(stem)\(number == 1 ? singular : plural)"
  }
}
