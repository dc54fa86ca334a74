/// How much a file may hold. What goes beyond is refused with an error that names the limit, before it can use up
/// memory or time.
///
/// The limits are on by default and far above what files in use hold. Set them lower for files from strangers, higher
/// for a file that is known.
///
/// ```swift
/// var crm = PersistentStoreDescription(.xml, at: url)
/// crm.limits.rows = 10_000
/// ```
///
/// Some limits of the libraries below stay whatever is set here: in XML a tag, a comment or a CDATA section has at most
/// 10,000,000 bytes, elements stand at most 256 deep, and the only entities are the five of XML; a value in SQLite has at
/// most 1,000,000,000 bytes.
public struct ReadingLimits: Hashable, Sendable {
  /// Bytes of a file that is read whole: XML, or any format of one's own. 4 GiB unless it is set.
  public var fileBytes = 4 << 30
  /// Bytes of one text or binary value: what stands between two tags of an XML file; in a SQLite file, a row with all its
  /// values, where less than 65,536 is taken for 65,536. 256 MiB unless it is set.
  public var textBytes = 256 << 20
  /// Elements of an XML file inside one another, the root included. 256, which is also the most.
  public var depth = 256
  /// Attributes of one XML element, and namespaces in force at one place. 4096 unless it is set.
  public var attributes = 4096
  /// Rows of a file that is read whole. 100,000,000 unless it is set.
  public var rows = 100_000_000
  /// Bytes of a description: a model file, compiled or not, or a federation file. 32 MiB unless it is set.
  public var descriptionBytes = 32 << 20

  public init() {}

  /// The limits of a store that sets none.
  public static let standard = ReadingLimits()
}
