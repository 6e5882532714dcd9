const MB = 1024 * 1024;

/** What an archive may hold. A bundle is read file by file, so it may hold more than a folder of emails, which is read whole. */
export const ARCHIVE_LIMITS = {
  folder: { entries: 2_000, entryBytes: MB, pictureBytes: 16 * MB, bytes: 64 * MB },
  /** `bytes` is of all entries together, inflated. */
  bundle: { entries: 500_000, entryBytes: 16 * MB, pictureBytes: 16 * MB, bytes: 1024 * MB },
  /** Of the archive itself. */
  archiveBytes: 256 * MB,
  /** Archives that inflate to less than this are never taken for bombs. */
  innocentBytes: 4 * MB,
  /** How many times its own size an archive may inflate to; texts reach 20. */
  ratio: 100,
} as const;

/** The file that makes an archive a bundle. */
export const MANIFEST = 'stallhand.json';

/** Files that emails show; they may be larger than texts. */
export const PICTURE_ENDINGS = 'png|jpe?g|gif|webp|avif|svg|woff2?|ttf|otf';
