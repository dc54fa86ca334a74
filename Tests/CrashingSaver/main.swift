import FederatedData
import Foundation

// Saves over four files until it is killed, and says of each save how it went.
guard let federation = CrashingFederation(CommandLine.arguments.dropFirst()) else {
  CrashingFederation.say("Usage: CrashingSaver FOLDER WRITER FIRST COUNT [FILE…]")
  exit(2)
}
do {
  try federation.saveAll()
} catch {
  CrashingFederation.say("cannot open: \(error)")
  exit(1)
}
