/** The command line is wrong: nothing was sent. */
export class UsageError extends Error {}

/** The person is not signed in, or no longer: the server was not asked, or did not let them in. */
export class SignInError extends Error {}

/** The person pressed Ctrl-C. */
export class Interrupted extends Error {}
