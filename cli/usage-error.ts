/** The command line is wrong: nothing was sent. */
export class UsageError extends Error {}
