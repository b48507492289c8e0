/// Something in the file that LMDB would not have written, as a sentence.
struct Defect: Error {
    let sentence: String

    init(_ sentence: String) {
        self.sentence = sentence
    }
}
