import FederatedModel

/// Models for files of other people, written from what the files hold.
enum XMLCorpusModels {
  private static func attributes(_ type: AttributeType, _ names: String) -> [any PropertyDescription] {
    names.split(separator: " ").map { AttributeDescription(String($0), type, optional: true) }
  }

  private static func one(_ name: String, _ destination: String, inverse: String? = nil)
    -> any PropertyDescription
  {
    RelationshipDescription(name, to: destination, .one, inverse: inverse)
  }

  private static func many(_ name: String, _ destination: String, inverse: String? = nil)
    -> any PropertyDescription
  {
    RelationshipDescription(name, to: destination, .many, inverse: inverse)
  }

  static func things() throws -> ManagedObjectModel {
    let thing =
      attributes(.int32, "index") + attributes(.string, "identifier title") + attributes(.boolean, "compact")
      + [one("parent", "Thing", inverse: "children"), many("children", "Thing", inverse: "parent")]
    let focus =
      attributes(.int32, "focusType") + attributes(.int16, "focusLevel")
      + attributes(.boolean, "display childrenHidden") + [many("focusToDos", "ToDo", inverse: "focus")]
    let toDo =
      attributes(.int32, "focusType status") + attributes(.int16, "focusLevel")
      + attributes(.date, "dateModified dateCreated dateCompleted dateDue tickleDate")
      + attributes(.string, "content") + attributes(.float, "todayOffset")
      + [
        one("focus", "Focus", inverse: "focusToDos"), one("scheduler", "Globals", inverse: "scheduledToDos"),
        many("tags", "Tag", inverse: "notes"), one("recurrenceInstance", "ToDo"),
      ]
    let tag =
      attributes(.date, "dateUsed") + attributes(.int32, "type") + attributes(.string, "shortcut")
      + [many("notes", "ToDo", inverse: "tags")]
    return try ManagedObjectModel(entities: [
      EntityDescription("Thing", abstract: true, properties: thing),
      EntityDescription("Focus", parent: "Thing", properties: focus),
      EntityDescription("ToDo", parent: "Thing", properties: toDo),
      EntityDescription("Tag", parent: "Thing", properties: tag),
      EntityDescription(
        "SyncedCalendar",
        properties: attributes(.string, "title systemID") + attributes(.boolean, "syncs isEditable")
          + attributes(.int32, "index")),
      EntityDescription(
        "Globals",
        properties: attributes(.date, "applicationQuitDate maintenanceDate")
          + [many("scheduledToDos", "ToDo", inverse: "scheduler")]),
    ])
  }

  static func mapping() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription("XDDevPropertyMapping", abstract: true, properties: attributes(.string, "name")),
      EntityDescription(
        "XDDevAttributeMapping", parent: "XDDevPropertyMapping",
        properties: [one("entityMapping", "XDDevEntityMapping", inverse: "attributeMappings")]),
      EntityDescription(
        "XDDevRelationshipMapping", parent: "XDDevPropertyMapping",
        properties: attributes(.boolean, "autogenerateExpression")
          + attributes(.binary, "valueExpressionData")
          + [one("entityMapping", "XDDevEntityMapping", inverse: "relationshipMappings")]),
      EntityDescription(
        "XDDevEntityMapping",
        properties: attributes(.string, "migrationPolicyClassName sourceName mappingTypeName destinationName")
          + attributes(.integer16, "mappingNumber") + attributes(.boolean, "autogenerateExpression")
          + [
            one("mappingModel", "XDDevMappingModel", inverse: "entityMappings"),
            many("attributeMappings", "XDDevAttributeMapping", inverse: "entityMapping"),
            many("relationshipMappings", "XDDevRelationshipMapping", inverse: "entityMapping"),
          ]),
      EntityDescription(
        "XDDevMappingModel",
        properties: attributes(.string, "sourceModelPath destinationModelPath")
          + attributes(.binary, "sourceModelData destinationModelData")
          + [many("entityMappings", "XDDevEntityMapping", inverse: "mappingModel")]),
    ])
  }

  static func mslice() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription("Unit", properties: attributes(.int32, "value") + attributes(.string, "name")),
      EntityDescription("Microscope", properties: attributes(.float, "kV aperture")),
      EntityDescription(
        "Aberration",
        properties: attributes(.string, "name") + attributes(.int16, "n m") + attributes(.float, "cnma cnmb")
          + [one("unit", "Unit")]),
      EntityDescription("SimParameters", properties: attributes(.boolean, "saveSlices cbed")),
      EntityDescription(
        "Structure", properties: attributes(.float, "aParam bParam cParam") + [one("atoms", "StructureAtom")]),
      EntityDescription("StructureAtom"),
      EntityDescription(
        "Detector", properties: attributes(.float, "innerAngle outerAngle") + attributes(.boolean, "dpc")),
    ])
  }

  static func vehicle() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription(
        "Vehicle",
        properties: attributes(.string, "make model nickname") + attributes(.int32, "year")
          + [many("vehiclePictures", "VehiclePicture", inverse: "picturesForVehicle")]),
      EntityDescription(
        "VehiclePicture",
        properties: attributes(.string, "pictureName") + attributes(.int32, "sequence")
          + [one("picturesForVehicle", "Vehicle", inverse: "vehiclePictures")]),
    ])
  }
}

extension AttributeType {
  static var int16: AttributeType { .integer16 }
  static var int32: AttributeType { .integer32 }
}
