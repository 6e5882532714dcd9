/** Milliseconds since 1970. Automatic syncs go by the database's, which is the same for all nodes. */
export type Clock = () => number | Promise<number>;
