import type { Blobs } from '../blobs/blobs.ts';

/** Where a server keeps its database, files and key. */
export type Kept = {
  /** Undefined for the embedded database. */
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
  readonly blobs: Blobs;
  /** The operator's; never in a backup. */
  readonly encryptionKey: string | undefined;
};

/** Reports the current step, with a number that grows. */
export type Progress = (doing: string, count: number) => void;
