internal import FederatedModel
internal import FederatedStore

/// What is read of the records of one entity.
struct XMLRecordPlan: Sendable {
  let entity: Entity
  /// Where the records stand, from the root; empty for records inside others.
  var paths: [XMLPath]
  /// Values that stand at one path each.
  var values: [XMLValuePlan] = []
  /// Of each value how it is read, in plain numbers.
  var columns: [XMLValueColumn] = []
  /// The attributes that name a record, in order; empty when its place in the file does.
  var key: [Attribute] = []
  /// Of each attribute of the key its place among the values.
  var keyValues: [Int] = []
  var references: [XMLReferencePlan] = []
  /// Relationships whose destinations stand inside the record.
  var links: [XMLLinkPlan] = []
  /// The node at which the paths of the values begin.
  var body: Int32 = -1

  init(_ entity: Entity, _ paths: [XMLPath]) {
    self.entity = entity
    self.paths = paths
  }

  var isKeyed: Bool { !self.key.isEmpty }
}

/// One path of a record and what its text becomes.
struct XMLValuePlan: Sendable {
  /// The name of the property.
  let name: String
  let path: XMLPath
  /// As the mapping writes it.
  let pathText: String
  let kind: Kind
  var repeated = XMLRepeatedPolicy.refuse
  var unfit = UnfitPolicy.refuse

  enum Kind: Sendable {
    case attribute(slot: Int, kind: SlotKind, conversion: TextConversion)
    /// A part of a key of another record: which of ``XMLRecordPlan/references``, and which part.
    case reference(Int, part: Int)
  }
}

/// A relationship that is kept as keys of its destinations.
struct XMLReferencePlan: Sendable {
  let relationship: Relationship
  /// The values that hold the parts of the key.
  var values: [Int] = []
  /// How the attributes of the destination's key are written.
  var conversions: [TextConversion] = []
  /// The to-one of the destination that leads back, when no record tells it and these keys are all that is known of it.
  var untoldInverse: Relationship?
}

/// A relationship whose destinations are records inside its owner.
struct XMLLinkPlan: Sendable {
  let relationship: Relationship
  let path: XMLPath
  /// The to-one of the destination that leads back, if there is one.
  let inverse: Relationship?
  /// Whether the list has to be told, because no to-one tells it whole.
  let tellsList: Bool

  init(_ relationship: Relationship, _ path: XMLPath, in model: ManagedObjectModel) {
    self.relationship = relationship
    self.path = path
    let inverse = relationship.inverse.map { model.relationship($0) }
    self.inverse = inverse?.slot == nil ? nil : inverse
    self.tellsList = relationship.isToMany && (relationship.isOrdered || inverse?.slot == nil)
  }
}

/// How one value is read: a plain number or two, so that reading it costs no look at anything else.
struct XMLValueColumn: Sendable {
  enum Kind: UInt8, Sendable {
    case string, int, double, decimal, other, reference
    /// Taken as text, to be read as a value later.
    case text
  }
  var kind: Kind
  var slot: Int
  var range = Int64.min...Int64.max

  init(_ value: XMLValuePlan, type: AttributeType?, format: ValueFormat?) {
    guard case .attribute(let slot, let kind, _) = value.kind, let type else {
      self.kind = .reference
      self.slot = -1
      return
    }
    self.slot = slot
    switch kind {
    case .string: self.kind = .string
    case .int: self.kind = .int
    case .double, .float: self.kind = .double
    case .decimal: self.kind = .decimal
    default: self.kind = .other
    }
    if type == .integer16 { self.range = Int64(Int16.min)...Int64(Int16.max) }
    if type == .integer32 { self.range = Int64(Int32.min)...Int64(Int32.max) }
  }
}
