import Foundation

/// A store with every kind of relationship that the command shows, as the lines it is made from.
enum GraphLines {
    static let text = """
        {"format":"larder-items","version":2,"entities":[\
        {"name":"Kind","attributes":[{"name":"id","type":"string","isOptional":false}],"indexes":[],\
        "relationships":[{"name":"recipes","kind":"toMany","target":"Recipe","inverse":"kind",\
        "deleteRule":"deny"}]},\
        {"name":"Recipe","attributes":[{"name":"id","type":"int64","isOptional":false},\
        {"name":"name","type":"string","isOptional":false},\
        {"name":"kind","type":"string","isOptional":true}],\
        "indexes":[{"attributes":["kind"],"isUnique":false}],"relationships":[\
        {"name":"tags","kind":"toMany","target":"Tag","deleteRule":"nullify"},\
        {"name":"steps","kind":"orderedToMany","target":"Step","deleteRule":"cascade"},\
        {"name":"kind","kind":"toOne","target":"Kind","deleteRule":"nullify"}]},\
        {"name":"Tag","attributes":[{"name":"id","type":"string","isOptional":false}],"indexes":[],\
        "relationships":[{"name":"recipes","kind":"toMany","target":"Recipe","inverse":"tags",\
        "deleteRule":"nullify"}]},\
        {"name":"Step","attributes":[{"name":"id","type":"string","isOptional":false}],"indexes":[]}]}
        {"entity":"Kind","values":{"id":"cake"}}
        {"entity":"Recipe","values":{"id":"1","name":"Cake","kind":"cake","tags":["quick","sweet"],\
        "steps":["mix","bake"]}}
        {"entity":"Recipe","values":{"id":"2","name":"Soup","kind":null,"tags":[],"steps":[]}}
        {"entity":"Tag","values":{"id":"quick"}}
        {"entity":"Tag","values":{"id":"sweet"}}
        {"entity":"Step","values":{"id":"bake"}}
        {"entity":"Step","values":{"id":"mix"}}
        {"end":{"items":7}}

        """
}
