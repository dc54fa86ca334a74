import Testing

@testable import FederatedStore

@Suite struct ReferenceTests {
  @Test("a canonical number stands for itself", arguments: ["0", "7", "102", "4611686018427387903"])
  func numbers(text: String) { #expect(ReferenceNames.number(text) == Int64(text)) }

  @Test(
    "any other text is an opaque name",
    arguments: ["", "007", "+7", "-7", " 7", "7 ", "z102", "ABF", "4611686018427387904", "\u{661}"])
  func opaque(text: String) { #expect(ReferenceNames.number(text) == nil) }

  @Test("an opaque name has the same reference in every order of meeting")
  func stable() {
    var (a, b) = (ReferenceNames(), ReferenceNames())
    let first = a.intern("ABF")
    let second = a.intern("atom0")
    #expect(b.intern("atom0") == second)
    #expect(b.intern("ABF") == first)
    #expect(a.intern("ABF") == first)
    #expect(first != second)
    #expect(first >= ReferenceNames.firstOpaque && second >= ReferenceNames.firstOpaque)
    #expect(a[first] == "ABF")
    #expect(a.reference(of: "atom0") == second)
    #expect(a.reference(of: "other") == nil)
  }

  @Test("composed and decomposed names are two")
  func bytes() {
    var names = ReferenceNames()
    #expect(names.intern("\u{e9}") != names.intern("e\u{301}"))
  }

  @Test(
    "an index answers as a dictionary does, through inserts, moves and removals",
    arguments: 0..<8 as Range<UInt64>)
  func index(seed: UInt64) {
    var state = seed &* 77 &+ 1
    func next(_ bound: UInt64) -> UInt64 {
      state = mixed(state &+ 0x9e37_79b9_7f4a_7c15)
      return state % bound
    }
    var index = ReferenceIndex()
    var model: [Int64: UInt64] = [:]
    for step in 0..<4000 as Range<UInt64> {
      let reference = Int64(next(500)) * (seed % 2 == 0 ? 1 : 1 << 20)
      switch next(3) {
      case 0:
        index.remove(reference)
        model[reference] = nil
      case 1 where model[reference] != nil:
        index.move(reference, to: RowPlace(packed: step))
        model[reference] = step
      default:
        let isNew = index.insert(reference, at: RowPlace(packed: step))
        #expect(isNew == (model[reference] == nil))
        if isNew { model[reference] = step }
      }
    }
    #expect(index.count == model.count)
    #expect(Set(index.references) == Set(model.keys))
    for reference in 0..<500 as Range<Int64> { #expect(index[reference]?.packed == model[reference]) }
  }
}
