public import FederatedModel

/// One saved row, typed, without an object: for reports over many rows.
///
/// ```swift
/// var sum: Decimal = 0
/// try context.forEachRow(of: Fetch(Invoice.self)) { sum += $0.total }
/// ```
@dynamicMemberLookup
public struct TypedRow<Object: TypedObject> {
  public let objectID: ManagedObjectID
  @usableFromInline let row: Snapshot
  @usableFromInline let home: ObjectHome

  @inlinable public subscript<Content>(dynamicMember path: KeyPath<Object.Keys, AttributeKey<Content>>)
    -> Content
  {
    self[Object.keys[keyPath: path]]
  }

  /// A typed attribute. Nil where a value was promised reads as the type's zero, and the context throws at its next
  /// fetch or save.
  @inlinable public subscript<Content>(key: AttributeKey<Content>) -> Content {
    let word = key.cache.load()
    if self.home.fits(word) {
      let slot = KeyCache.slot(word)
      if !self.row.isNull(slot) { return Content.read(self.row, slot) }
    }
    return self.readSlowly(key)
  }

  @usableFromInline func readSlowly<Content>(_ key: AttributeKey<Content>) -> Content {
    do {
      let value = try self.value(key.propertyName)
      if !self.home.fits(key.cache.load()) { _ = self.home.resolve(key) }
      if let content = Content(value: value) { return content }
      throw ManagedObjectError.typedReadFailed(value, key, of: self.home.entity, self.objectID)
    } catch {
      self.home.context?.keep(error)
      return Content.missing
    }
  }

  /// The value of an attribute or to-one by name.
  public func value(_ key: String) throws -> Value {
    guard let column = self.home.entity.layout.column(named: key) else {
      throw ManagedObjectError.unknownProperty(key, of: self.home.entity)
    }
    return self.row.value(column.slot, column.kind, store: self.objectID.store)
  }
}

extension ManagedObjectContext {
  /// Hands over the saved rows that a typed request finds, in order, without making objects of them.
  ///
  /// Unsaved changes take no part. Rows are held about `batch` at a time where the store can stream.
  public func forEachRow<Object>(
    of fetch: Fetch<Object>, batch: Int = 1000, _ body: (TypedRow<Object>) throws -> Void
  ) throws {
    try self.throwKeptError()
    let resolved = try ResolvedFetch(try self.withoutLinks(fetch.request), in: self)
    var home: ObjectHome?
    try self.reading { read in
      try read.stream(resolved.bound(under: nil), batch: batch) { rows in
        for row in rows {
          let entity = row.snapshot.entity
          let current = home?.entity.id == entity ? home! : self.home(entity)
          home = current
          try body(TypedRow(objectID: row.objectID, row: row.snapshot, home: current))
        }
      }
    }
  }
}
