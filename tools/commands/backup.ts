import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../../src/config.ts';
import { restoreBackup, saveBackup, verifyBackup } from '../../src/platform/backup/backup.ts';
import { command, UsageError } from './command.ts';

const USAGE = `Saves everything the server keeps to one file, checks such a file, or restores it. Stop the server first.
The file holds the embedded database, the assets, videos and other files, and the key that opens the credentials of
connected stores and sheets. Keep it as safe as a password, or leave the key out with --without-key.
With PostgreSQL, use pg_dump and pg_restore, and copy BLOBS_DIR.

  npm run backup -- save FILE.tar.gz [--without-key]
  npm run backup -- verify FILE.tar.gz
  npm run backup -- restore FILE.tar.gz`;

await command(USAGE, async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { 'without-key': { type: 'boolean', default: false } },
  });
  const [verb, file, ...rest] = positionals;
  if (!file || rest.length > 0) throw new UsageError('Choose save, verify or restore, and one file.');
  if (verb === 'verify') return `${file} is whole: ${describe(await verifyBackup(file))}.`;
  const { databaseUrl, dataDir, blobsDir, s3 } = readConfig();
  if (databaseUrl)
    throw new UsageError(
      'DATABASE_URL is set. Back up PostgreSQL with pg_dump and pg_restore, and copy BLOBS_DIR.',
    );
  const kept = { dataDir, blobsDir: blobsDir ?? join(dataDir, 'files') };
  switch (verb) {
    case 'save': {
      const options = { withKey: !values['without-key'], now: new Date() };
      const elsewhere = s3 ? ` The files are in the bucket ${s3.bucket}: copy it too.` : '';
      return `Saved ${dataDir} to ${file}: ${describe(await saveBackup(kept, file, options))}.${elsewhere}`;
    }
    case 'restore':
      return `Restored ${dataDir} from ${file}: ${describe(await restoreBackup(kept, file))}.`;
    default:
      throw new UsageError(`Unknown command '${verb}'. Valid commands: save, verify, restore.`);
  }
});

type Saved = Awaited<ReturnType<typeof verifyBackup>>;

function describe({ created_at, files }: Saved): string {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const key = files.some(({ path }) => path === 'encryption.key') ? 'with the key' : 'without a key';
  const stored = files.filter(({ path }) => path.startsWith('files/')).length;
  return `the database and ${stored} files, ${key}, ${(bytes / 1_000_000).toFixed(1)} MB, saved at ${created_at}`;
}
