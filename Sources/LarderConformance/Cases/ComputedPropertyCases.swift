import Larder

/// Properties that are not stored: computed ones, which set stored ones, and transient ones.
enum ComputedPropertyCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("A computed property that is set on a handle sets what is stored", proves: 4, 5) {
            world in
            let store = try world.open(Song.self, Album.self)
            try store.writeSync { try $0.insert(Song(1, "Red", by: "Ann", seconds: 90)) }

            let result = try store.writeSyncReportingChanges { accessor in
                let song = try require(try accessor.mutableItem(id: 1, of: Song.self))
                try expect(song.minutes, equals: 1)
                try expect(song.credits, equals: "Red by Ann")
                song.minutes = 3
                song.minutes += 1
                song.credits = "Blue|Bob"
                try expect(song.seconds, equals: 240)
                try expect(
                    try accessor.countItems(for: Song.where(\.seconds == 240 && \.title == "Blue")), equals: 1
                )
            }

            let names: Set<String> = ["title", "artist", "seconds"]
            try expect(result.changes.updated(Song.self).map(\.attributes), equals: [names])
            let stored = try require(try store.item(1, of: Song.self))
            try expect(stored, equals: Song(1, "Blue", by: "Bob", seconds: 240))
            try expect([stored.credits, "\(stored.minutes)"], equals: ["Blue by Bob", "4"])
        }
        ConformanceCase("A computed property is set in a child and in a value too", proves: 4, 18) { world in
            let store = try world.open(Song.self, Album.self)
            try store.writeSync { try $0.insert(Song(1, "Red", seconds: 90)) }
            let child = try store.makeChildDataStore()

            try child.writeSync { try $0.mutableItem(id: 1, of: Song.self)?.minutes = 2 }
            try expect(try store.item(1, of: Song.self)?.minutes, equals: 1)
            try store.merge(child)
            try expect(try store.item(1, of: Song.self)?.seconds, equals: 120)
            var song = try require(try store.item(1, of: Song.self))
            song.credits = "Green"
            try store.writeSync { [song] in try $0.update(song) }

            try expect(try store.items(Song.all), equals: [Song(1, "Green", seconds: 120)])
            // A value that cannot be stored is refused for the attribute that it sets.
            let error = try expectError(.uniqueViolation, writingTo: store) { accessor in
                try accessor.insert(Song(2, "Taken"))
                try require(try accessor.mutableItem(id: 1, of: Song.self)).credits = "Taken|Bob"
            }
            try expect(error.attribute, equals: "title")
        }
        ConformanceCase("A transient property is not stored, and setting it changes nothing", proves: 4, 5) {
            world in
            let store = try world.open(Song.self, Album.self)
            var song = Song(1, "Red", seconds: 90)
            song.isPlaying = true
            try store.writeSync { [song] in _ = try $0.insert(song) }
            try expect(try store.item(1, of: Song.self)?.isPlaying, equals: false)

            let result = try store.writeSyncReportingChanges { accessor in
                let handle = try require(try accessor.mutableItem(id: 1, of: Song.self))
                try expect(handle.isPlaying, equals: false)
                handle.isPlaying = true
                try expect(handle.isPlaying, equals: true)
            }

            try expect(result.hasChanges, equals: false)
            try expect(try store.items(Song.all).map(\.isPlaying), equals: [false])
            try expect(
                try world.reopen(Song.self, Album.self).items(Song.all), equals: [Song(1, "Red", seconds: 90)]
            )
        }
        ConformanceCase(
            "A transient property has its default again when an item is made from a row", proves: 3, 4
        ) { world in
            let store = try world.open(Song.self, Album.self)
            try store.writeSync { accessor in
                let handle = try accessor.insert(Song(1, "Red", seconds: 90))
                handle.isPlaying = true
                handle.minutes = 3
                try expect(handle.isPlaying, equals: true)
                try handle.setValue(240, forKey: "seconds")
                try expect(handle.isPlaying, equals: false)

                // As the type has relationships, the value is made again as it will be read.
                var song = Song(1, "Blue", seconds: 60)
                song.isPlaying = true
                try handle.replace(by: song)
                try expect(handle.isPlaying, equals: false)
            }

            try expect(try store.items(Song.all), equals: [Song(1, "Blue", seconds: 60)])
        }
    }
}
