import Larder
import LarderTesting
import Testing

/// A list that a new item of a child is given takes the place of links that its parent has made meanwhile.
struct DanglingListTests {
    @Test func `an item inserted again with an empty list has no links of its parent`() throws {
        try withTemporaryStore(storing: [Part.self, Box.self, Mark.self]) { store in
            try store.writeSync { accessor in
                try accessor.insert(Box(1))
                try accessor.insert(contentsOf: [Mark(1), Mark(2)])
                try accessor.insert(Part(1))
            }
            let child = try store.makeChildDataStore()
            try child.setup()
            _ = try child.writeSync { try $0.delete(id: 1, of: Part.self) }
            _ = try store.writeSync { try $0.mutableItem(id: 1, of: Part.self)?.marks.add(id: 1) }

            _ = try child.writeSync { try $0.insert(Part(1, marks: ToMany([Mark]()))) }

            let marks = try child.writeSync { try $0.mutableItem(id: 1, of: Part.self)?.marks.ids() }
            #expect(marks == [])
        }
    }
}
