package import LarderKernel

/// An engine's store in files, which can be renamed while no process has it open.
package protocol ClosableStore {
    /// A text for the content of the store's files, which differs after every commit.
    func contentState() throws(DataStoreError) -> String

    /// Runs a body while no process has the store open or can open it; false, and nothing done, when one has.
    ///
    /// The files stay as they are unless the body moves them. *Rule:* the body opens none of them.
    ///
    /// - Throws: `.alreadyOpen`; rethrows errors of the body.
    func whileClosed(_ body: () throws(DataStoreError) -> Void) throws(DataStoreError) -> Bool
}
