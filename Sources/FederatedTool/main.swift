import Foundation

// A reader that goes away (`federate … | head`) ends the output, not the process with a signal.
signal(SIGPIPE, SIG_IGN)
let console = Console(output: ResultOutput(descriptor: 1), messages: ResultOutput(descriptor: 2))
exit(Tool.run(Array(CommandLine.arguments.dropFirst()), console: console).rawValue)
