import FederatedData
import Foundation

/// Two XML and two SQLite files that get the same entries, a save for each number.
struct CrashingFederation {
  static let allNames = ["a.xml", "b.sqlite", "c.xml", "d.sqlite"]
  /// Entries that a writer keeps; older ones it deletes.
  static let kept = 12

  let folder: URL
  /// Tells the entries of one process from those of another.
  let writer: Int
  let numbers: Range<Int>
  /// The files that take part.
  let names: [String]

  init(
    _ folder: URL, writer: Int = 0, numbers: Range<Int> = 0..<0, names: [String] = CrashingFederation.allNames
  ) {
    self.folder = folder
    self.names = names
    self.writer = writer
    self.numbers = numbers
  }

  init?(_ words: some Collection<String>) {
    let words = Array(words)
    guard words.count >= 4, let writer = Int(words[1]), let first = Int(words[2]), let count = Int(words[3])
    else {
      return nil
    }
    self.init(
      URL(filePath: words[0], directoryHint: .isDirectory), writer: writer, numbers: first..<first + count,
      names: words.count == 4 ? Self.allNames : Array(words[4...]))
  }

  /// Straight to the descriptor: what is said has been said when the process is killed next.
  static func say(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
  }

  static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel {
      EntityDescription("Entry") {
        AttributeDescription("writer", .integer64, default: 0)
        AttributeDescription("number", .integer64, default: 0)
        AttributeDescription("text", .string, optional: true)
        AttributeDescription("amount", .decimal, optional: true)
        AttributeDescription("when", .date, optional: true)
        RelationshipDescription("marks", to: "Mark", .many, inverse: "entries")
      }
      EntityDescription("Mark") {
        AttributeDescription("writer", .integer64, default: 0)
        AttributeDescription("last", .integer64, default: 0)
        RelationshipDescription("entries", to: "Entry", .many, inverse: "marks")
      }
    }
  }

  func open(readOnly: Bool = false) throws -> PersistentContainer {
    try PersistentContainer(
      model: Self.model(),
      stores: self.names.map { name in
        PersistentStoreDescription(
          name.hasSuffix(".xml") ? .xml : .sqlite, at: self.folder.appending(path: name), name: name,
          readOnly: readOnly)
      })
  }

  // MARK: Saving

  func saveAll() throws {
    let context = try self.open().makeContext()
    Self.say("open")
    for number in self.numbers {
      do {
        try self.change(context, number)
        try context.save()
        Self.say("ok \(number)")
      } catch SaveError.recoveryPending {
        Self.say("ok \(number) pending")
      } catch {
        Self.say("no \(number) \("\(error)".split(separator: "\n").joined(separator: " "))")
        context.rollback()
        context.refreshAll()
      }
    }
  }

  /// In every store: a new entry, an old one less, and the writer's mark moved on.
  private func change(_ context: ManagedObjectContext, _ number: Int) throws {
    for name in self.names {
      guard let store = context.coordinator.store(named: name) else { continue }
      let mark: ManagedObject
      if let known = try self.fetch("Mark", from: name, in: context).first {
        mark = known
      } else {
        mark = try context.insert("Mark")
        try context.assign(mark, to: store)
        try mark.set("writer", to: self.writer)
      }
      try mark.set("last", to: number)
      let old = try self.fetch("Entry", order: [.ascending("number")], from: name, in: context)
      for entry in old.dropLast(Self.kept - 1) { context.delete(entry) }
      let entry = try context.insert("Entry")
      try context.assign(entry, to: store)
      try entry.set("writer", to: self.writer)
      try entry.set("number", to: number)
      try entry.set("text", to: Self.text(number))
      try entry.set("amount", to: Decimal(number) / 8)
      try entry.set("when", to: Date(timeIntervalSinceReferenceDate: Double(number) + 0.1))
      try entry.set("marks", to: [mark])
    }
  }

  private func fetch(
    _ entity: String, order: [FetchSortDescriptor] = [], from store: String, in context: ManagedObjectContext
  ) throws -> [ManagedObject] {
    var request = FetchRequest(
      entity, where: try FetchPredicate(format: "writer == %@", self.writer), order: order)
    request.affectedStores = [store]
    return try context.fetch(request)
  }

  static func text(_ number: Int) -> String {
    "entry \(number) <&> ☃" + String(repeating: "…", count: number % 40)
  }

  // MARK: Looking

  /// What one store holds of a writer.
  struct Contents: Equatable {
    var last: Int?
    var numbers: [Int] = []
    /// Entries whose values or links are not what their number says.
    var broken: [Int] = []
  }

  /// What each store holds of this writer, by the stores' order.
  func contents() throws -> [Contents] {
    let container = try self.open()
    defer { self.close(container) }
    let context = container.makeContext()
    return try self.names.map { name in
      var contents = Contents()
      contents.last = try self.fetch("Mark", from: name, in: context).first.map { try self.int($0, "last") }
      for entry in try self.fetch("Entry", order: [.ascending("number")], from: name, in: context) {
        let number = try self.int(entry, "number")
        contents.numbers.append(number)
        let isWhole =
          try entry.value("text") == .string(Self.text(number))
          && entry.value("amount") == .decimal(Decimal(number) / 8)
          && entry.value("when") == .date(Date(timeIntervalSinceReferenceDate: Double(number) + 0.1))
          && entry.objects("marks").count == 1
        if !isWhole { contents.broken.append(number) }
      }
      return contents
    }
  }

  private func int(_ object: ManagedObject, _ key: String) throws -> Int {
    guard case .int(let number) = try object.value(key) else { return -1 }
    return Int(number)
  }

  private func close(_ container: PersistentContainer) {
    for store in container.coordinator.stores { store.close() }
  }
}
