/// The version `racpscope --version` prints and `make dist` names its archive after.
let version = "0.1.0"
