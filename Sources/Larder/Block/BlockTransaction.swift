/// The transaction of a block: that of a read block or that of a write block.
enum BlockTransaction {
    case reading(any StorageReading)
    case writing(any StorageWriting)
}
