import LarderCommandLine

@main
enum Main {
    static func main() {
        LarderTool.runThisProcess()
    }
}
