/** Leaves a call that a person must answer first. It has not failed: the client comes again with what they said. */
export class AskedFirst extends Error {}
