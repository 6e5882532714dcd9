import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { startPglite } from '../start-pglite.ts';
import { NEW_DATABASE } from './unpack.ts';

/*
 * npm run generate:database packs the database that PGlite creates in an empty folder. Run it on every upgrade
 * of PGlite. Needs tar.
 */

const folder = mkdtempSync(join(tmpdir(), 'stallhand-new-database-'));
try {
  const session = await startPglite(folder);
  await session.close();
  const plain = ['--format=ustar', '--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner'];
  const names = readdirSync(folder).sort();
  const tar = execFileSync('tar', ['-c', ...plain, '-C', folder, ...names], { maxBuffer: 2 ** 27 });
  const params = {
    // The three databases in it are alike: the window reaches from one to the next.
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: tar.length,
  };
  const packed = brotliCompressSync(tar, { params });
  writeFileSync(NEW_DATABASE, packed);
  process.stdout.write(`${NEW_DATABASE}: ${tar.length} bytes packed in ${packed.length}\n`);
} finally {
  rmSync(folder, { recursive: true });
}
