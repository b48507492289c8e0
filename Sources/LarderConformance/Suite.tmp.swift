extension ConformanceSuite {
    public static let allCases: [ConformanceCase] = ReadingCases.all + FilteringCases.all
}
