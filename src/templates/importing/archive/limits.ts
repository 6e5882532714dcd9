/** What an archive may hold. A bundle holds more files than a folder of mails, and large ones: its list, and samples of 1 MB. */
export const ARCHIVE_LIMITS = {
  folder: { entries: 2_000, entryBytes: 1024 * 1024 },
  bundle: { entries: 20_000, entryBytes: 16 * 1024 * 1024 },
  /** Of all entries together, inflated. */
  bytes: 64 * 1024 * 1024,
  /** Archives that inflate to less than this are never taken for bombs. */
  innocentBytes: 4 * 1024 * 1024,
  /** How many times its own size an archive may inflate to; texts reach 20. */
  ratio: 100,
} as const;

/** The file that makes an archive a bundle. */
export const MANIFEST = 'stallhand.json';
