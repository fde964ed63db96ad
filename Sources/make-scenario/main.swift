import CaptureFiles
import Glibc
import Scenarios

exit(MakeScenario.run(Array(CommandLine.arguments.dropFirst())))
