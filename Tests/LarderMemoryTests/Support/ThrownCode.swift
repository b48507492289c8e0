import Larder

/// The code of the error a body throws; nil when it throws none of ours.
func thrownCode(_ body: () throws -> Void) -> DataStoreError.Code? {
    do {
        try body()
        return nil
    } catch {
        return (error as? DataStoreError)?.code
    }
}
