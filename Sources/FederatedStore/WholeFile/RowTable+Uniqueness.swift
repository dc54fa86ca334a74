import FederatedModel

extension RowTable {
  /// Looks for rows that share the unique values of a row that the save inserted or changed.
  /// - Throws: `duplicateKey` with all such rows.
  func checkUniqueness(of changes: ChangeSet) throws(StoreError) {
    let check = UniquenessCheck(of: changes, in: self.model, store: self.store)
    if check.isEmpty { return }
    let refusal = try check.refusal { (query) throws(StoreError) in
      let access = TableAccess(query, in: self)
      guard case .rows(let rows) = try InMemoryQuery(access.rest, source: self).run(over: access.candidates)
      else { return RowSet([]) }
      return rows
    }
    if let refusal { throw refusal }
  }
}
