/** Thrown when a person must answer first. The call has not failed: the client repeats it with their answer. */
export class AskedFirst extends Error {}
