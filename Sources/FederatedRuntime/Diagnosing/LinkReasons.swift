import FederatedModel
import FederatedStore

/// What an answer comes of, put into words: the most telling first.
struct LinkReasons {
  private let diagnosis: LinkDiagnosis
  var failure: (any Error)?
  var ownerIsDeleted = false
  var ownerIsInserted = false
  /// Paths of the key whose values are not saved, with what is saved.
  var unsavedKeys: [(path: String, saved: String)] = []
  var keyEqualsNothing = false
  var hasNilKey = false
  var unplannedReason: String?
  /// Whether the kept answer is another one than would be found now.
  var keptAnswerDiffers = false

  typealias Reason = LinkDiagnosis.Reason

  init(_ diagnosis: LinkDiagnosis) { self.diagnosis = diagnosis }

  var ofGoneOwner: [Reason] {
    [Reason(code: .sourceDeleted, detail: "the object's row is gone, so nothing of it can be read")]
  }

  var all: [Reason] {
    if self.diagnosis.stores.isEmpty {
      let detail =
        "no attached store holds \(self.diagnosis.destination); add one whose configuration has it"
      return [Reason(code: .noStore, detail: detail)] + self.ofSource
    }
    var reasons: [Reason] = []
    if let failure = self.failure {
      reasons.append(Reason(code: .cannotBeAsked, detail: "reading the property throws: \(failure)"))
    }
    reasons += self.ofSource + self.ofKey + self.ofNearMisses + self.ofTerms + self.ofStores + self.ofKept
    if reasons.isEmpty {
      let rows = ExplanationText.count(self.diagnosis.rowsMatching, "row")
      reasons = [
        Reason(code: .asAsked, detail: "\(rows) of the stores that are asked match, and nothing is cut")
      ]
    }
    return reasons
  }

  // MARK: The object

  private var ofSource: [Reason] {
    var reasons: [Reason] = []
    if self.ownerIsDeleted {
      reasons.append(
        Reason(code: .sourceDeleted, detail: "the object is deleted, and the next save takes its row away"))
    }
    if self.ownerIsInserted {
      reasons.append(
        Reason(
          code: .sourceUnsaved,
          detail:
            "the object was never saved: its values are those set so far, and no stored row can point to it"))
    }
    for key in self.unsavedKeys {
      reasons.append(
        Reason(
          code: .keyUnsaved,
          detail: "\(key.path) of the object is changed and not saved; \(key.saved) is stored"))
    }
    return reasons
  }

  // MARK: The key

  private var ofKey: [Reason] {
    let diagnosis = self.diagnosis
    let rows = diagnosis.stores.reduce(0) { $0 + ($1.isAsked ? $1.rows : 0) }
    var reasons: [Reason] = []
    if self.hasNilKey { reasons.append(self.ofNilKey) }
    if self.keyEqualsNothing {
      reasons.append(
        Reason(
          code: .keyEqualsNothing, detail: "the object's \(self.keyText) is no number, and equals nothing"))
    }
    if rows == 0 {
      let detail = "the stores that are asked have no row of \(diagnosis.destination) at all"
      return reasons + [Reason(code: .noRows, detail: detail)]
    }
    if diagnosis.keys.isEmpty {
      let reason = self.unplannedReason.map { " (\($0))" } ?? ""
      let judged = ExplanationText.count(rows, "row")
      reasons.append(
        Reason(
          code: .noKey,
          detail: "no key to look up\(reason); \(judged) judged, of which \(diagnosis.rowsMatching) match"))
    } else if diagnosis.rowsWithKey == 0, !self.hasNilKey, !self.keyEqualsNothing {
      let several = rows == 1 ? "the one row" : "none of the \(rows) rows"
      let has = rows == 1 ? "does not have" : "has"
      reasons.append(
        Reason(code: .keyNotFound, detail: "\(several) of \(diagnosis.destination) \(has) \(self.keyText)"))
    }
    return reasons
  }

  private var ofNilKey: Reason {
    let paths = self.diagnosis.keys.filter { $0.value == "nil" }
    let own = paths.map(\.path).joined(separator: " and ")
    let theirs = paths.map(\.attribute).joined(separator: " and ")
    let rows = self.diagnosis.rowsWithKey
    let linked =
      rows == 0
      ? "no row of \(self.diagnosis.destination) has nil there"
      : "so the object is linked with \(rows == 1 ? "the one row" : "all \(rows) rows") of "
        + "\(self.diagnosis.destination) that \(rows == 1 ? "has" : "have") nil there, as is every other object "
        + "without a key"
    return Reason(
      code: .nilKey,
      detail:
        "NIL KEY: \(own) of the object is nil, and nil equals nil in \(theirs); \(linked). If that is not "
        + "meant, add the term \(paths.map { "$FETCH_SOURCE.\($0.path) != nil" }.joined(separator: " AND "))")
  }

  private var keyText: String {
    self.diagnosis.keys.map { "\($0.attribute) \($0.value)" }.joined(separator: " and ")
  }

  private var ofNearMisses: [Reason] {
    self.diagnosis.nearMisses.map { miss in
      let rows =
        "\(ExplanationText.count(miss.count, "row")) nearly \(miss.count == 1 ? "has" : "have") the key"
      let example = miss.examples.first.map { ": \($0.found) against \($0.key)" } ?? ""
      return Reason(code: .nearMisses, detail: "\(rows)\(example), apart by \(miss.phrase)")
    }
  }

  // MARK: What took rows away

  private var ofTerms: [Reason] {
    let diagnosis = self.diagnosis
    guard !diagnosis.keys.isEmpty, diagnosis.rowsWithKey > diagnosis.rowsMatching else { return [] }
    var before = diagnosis.rowsWithKey
    var steps: [String] = []
    for term in diagnosis.terms {
      if term.left < before {
        steps.append("\(ExplanationText.short(term.condition, to: 200)) leaves \(term.left)")
      }
      before = term.left
    }
    let have = diagnosis.rowsWithKey == 1 ? "has" : "have"
    return [
      Reason(
        code: .otherTerms,
        detail: "\(ExplanationText.count(diagnosis.rowsWithKey, "row")) \(have) the key; "
          + steps.joined(separator: "; "))
    ]
  }

  private var ofStores: [Reason] {
    let diagnosis = self.diagnosis
    var reasons: [Reason] = []
    if self.failure == nil, diagnosis.results < diagnosis.rowsMatching {
      let window = [
        diagnosis.offset > 0 ? "offset \(diagnosis.offset)" : nil, diagnosis.limit.map { "limit \($0)" },
      ].compactMap(\.self).joined(separator: " and ")
      reasons.append(
        Reason(
          code: .window,
          detail:
            "\(ExplanationText.count(diagnosis.rowsMatching, "row")) \(diagnosis.rowsMatching == 1 ? "matches" : "match"), "
            + "and of these \(window) leaves \(diagnosis.results)"))
    }
    for store in diagnosis.stores where !store.isAsked {
      reasons.append(
        Reason(
          code: .otherStores,
          detail:
            "store \(store.name) is not asked, since the property's affectedStores does not name it; it has "
            + "\(ExplanationText.count(store.rowsMatching, "row")) that would match"))
    }
    return reasons
      + diagnosis.diagnostics.map { Reason(code: .storeDiagnostic, detail: $0.description) }
  }

  private var ofKept: [Reason] {
    guard let kept = self.diagnosis.keptResults, self.keptAnswerDiffers else { return [] }
    return [
      Reason(
        code: .keptAnswer,
        detail:
          "the object keeps an answer of \(ExplanationText.count(kept, "object")) from an earlier read, and "
          + "\(self.diagnosis.results) would be found now; refresh the object to read anew")
    ]
  }
}
