/// One who follows what a read block reads, in the words of plans and cells.
///
/// *Rule:* called on the thread of its block.
package protocol ReadFollower: AnyObject {
    /// Tells of a plan that is run.
    func note(_ plan: RequestPlan, in schema: StoreSchema)

    /// Gives the rows of a plan that was noted on, and notes each.
    func following(_ cursor: any RowCursor, width: Int) -> any RowCursor

    /// Tells of the look-up of a row by its identifier.
    func noteLookUp(of identifier: Cell, in entity: Int, _ schema: EntitySchema)

    /// Tells of a row that was looked up and was there.
    func noteRow(_ cells: UnsafePointer<Cell>, count: Int)

    func noteCount(_ count: Int)

    /// Tells of values that were looked up for the rows of a plan.
    func note(_ values: [RelatedOrder.Term], of entity: Int, in schema: StoreSchema)

    /// Tells of values that were looked up for the sections of a list.
    func note(_ values: [Constant])

    func note(_ groups: GroupRows)

    /// Tells that items are read together with their related ones.
    func notePrefetching()

    /// Tells that something was read past the requests.
    func noteEverything()
}
