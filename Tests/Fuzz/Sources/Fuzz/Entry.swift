import Foundation

// The fuzzer's own `main` calls these two. FUZZ_TARGET names what is fuzzed; FUZZ_SEEDS a folder that gets the first
// inputs.

@_cdecl("LLVMFuzzerInitialize")
func initialize(
  _: UnsafeMutablePointer<CInt>?,
  _: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> CInt {
  do { try Target.chosen.writeSeeds() } catch { fatalError("no seeds for \(Target.chosen): \(error)") }
  return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  Target.chosen.run(Data(UnsafeBufferPointer(start: bytes, count: count)))
  return 0
}
