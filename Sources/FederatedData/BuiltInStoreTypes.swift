/// The store types that come with the library, by the names that files and the command line use.
public enum BuiltInStoreTypes {
  public static let names = ["xml", "sqlite"]
}
