import Larder
import LarderText
import Testing

/// The description is for people, and the text can be read again.
struct FilterDescriptionTests {
    @Test func `shows the filter as engines run it`() {
        let filter: Filter<Plate> = !(\.name == "Toast" && \.rating > 4)

        #expect(filter.description == #"(name != "Toast" or rating <= 4.0 or rating == nil)"#)
    }

    @Test func `says why a filter cannot be used`() {
        let filter: Filter<Plate> = \.rating > .nan

        #expect(
            filter.description
                == "<The filter cannot be used. NaN cannot be stored, as it equals nothing, not even itself.>"
        )
    }

    @Test func `has a text that gives an equal filter`() throws {
        let filter: Filter<Plate> = !(\.name == "Toast" && \.rating > 4)

        #expect(filter.text == #"NOT (name == "Toast" AND rating > 4.0)"#)
        #expect(try Filter<Plate>(text: filter.text) == filter)
    }
}
