import { createHash, type Hash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { extract, pack } from 'tar-stream';
import { z } from 'zod';
import { Fault } from '../../errors.ts';
import { removeAtExit } from './remove-at-exit.ts';

/** The last file of an archive: a list of its contents. An archive without it is incomplete. */
const MANIFEST = 'manifest.json';
const Manifest = z.object({
  format: z.literal(2),
  created_at: z.iso.datetime(),
  engine: z.enum(['embedded', 'postgres']),
  /** Number of the last migration. */
  schema: z.int(),
  tables: z.array(
    z.object({
      name: z.string(),
      columns: z.array(z.object({ name: z.string(), type: z.string() })),
      rows: z.int(),
      /** As `RowSum` has it. */
      sum: z.string(),
    }),
  ),
  /** Names of the queues of jobs that were not done. */
  queues: z.array(z.string()),
  /**
   * The key that seals credentials: in the archive, a setting of the operator, left out, one that the command did not have, or
   * there is none yet.
   */
  key: z.object({
    kept: z.enum(['here', 'setting', 'left out', 'elsewhere', 'none']),
    name: z.string().optional(),
  }),
  files: z.array(z.object({ path: z.string(), bytes: z.int(), sha256: z.string() })),
});

export type Manifest = z.infer<typeof Manifest>;

/** Adds a file to an archive. `content` must have as many bytes as it says. */
export type AddFile = (path: string, bytes: number, content: Readable | Buffer) => Promise<void>;

/**
 * Writes a gzipped tar file of what `fill` adds, and a manifest with what it returns and the hashes of all files. Only its
 * owner may read it. It appears whole: it is flushed before it gets its name, so it survives a crash of the machine.
 */
export async function writeArchive(
  file: string,
  createdAt: Date,
  fill: (add: AddFile) => Promise<Omit<Manifest, 'format' | 'created_at' | 'files'>>,
): Promise<Manifest> {
  await removeOldDrafts(file);
  // A name that no one can guess, in a folder that others may write to: the file has the key.
  const draft = `${file}.${randomUUID()}${DRAFT}`;
  const forget = removeAtExit(draft);
  const tar = pack();
  const filled = fillTar();
  try {
    // A failure on either side ends the other.
    filled.catch((error: Error) => tar.destroy(error));
    await pipeline(tar, createGzip({ level: 1 }), createWriteStream(draft, { flags: 'wx', mode: 0o600 }));
    const manifest = await filled;
    const handle = await open(draft, 'r+');
    await handle.sync().finally(() => handle.close());
    await rename(draft, file);
    return manifest;
  } finally {
    await rm(draft, { force: true });
    forget();
  }

  async function fillTar(): Promise<Manifest> {
    const files: Manifest['files'] = [];
    const held = await fill(async (path, bytes, content) => {
      const hash = createHash('sha256');
      const entry = tar.entry({ name: path, size: bytes, mode: 0o600, mtime: createdAt });
      const chunks = Buffer.isBuffer(content) ? Readable.from([content]) : content;
      await pipeline(hashing(chunks, hash), entry);
      files.push({ path, bytes, sha256: hash.digest('hex') });
    });
    const manifest: Manifest = { format: 2, created_at: createdAt.toISOString(), ...held, files };
    tar.entry({ name: MANIFEST, mode: 0o600, mtime: createdAt }, `${JSON.stringify(manifest)}\n`);
    tar.finalize();
    return manifest;
  }
}

const DRAFT = '.backup-part';
const DRAFT_NAME = /\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.backup-part$/;
const DRAFT_LIFE_MS = 3_600_000;

/** Removes what killed processes left in the folder, whatever their archive was to be called. One that is written to is younger. */
async function removeOldDrafts(file: string): Promise<void> {
  const folder = dirname(file);
  const names = await readdir(folder).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') throw new Fault('not_found.backup_folder', { folder }, { cause });
    throw cause;
  });
  for (const name of names.filter((one) => DRAFT_NAME.test(one))) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (mtimeMs < Date.now() - DRAFT_LIFE_MS) await rm(path, { force: true });
  }
}

/**
 * Reads an archive to its end and checks each file against the manifest.
 * @param take Gets each file in turn and reads it to its end. What it keeps counts only once this resolves.
 * @throws Error for a file that is no archive, was cut or changed, with the name of what is wrong in it
 */
export async function readArchive(
  file: string,
  take: (path: string, content: AsyncIterable<Buffer>) => Promise<void>,
): Promise<Manifest> {
  const found: Manifest['files'] = [];
  let manifest: unknown;
  let current = '';
  const entries = extract();
  const reading = pipeline(createReadStream(file), createGunzip(), entries);
  const taking = (async () => {
    for await (const entry of entries) {
      const { name: path, size: bytes = 0, type } = entry.header;
      current = path;
      if (type !== 'file') throw new Error('it is not a plain file');
      if (path === MANIFEST) {
        manifest = JSON.parse(String(Buffer.concat(await Array.fromAsync(entry as AsyncIterable<Buffer>))));
        continue;
      }
      const hash = createHash('sha256');
      await take(path, hashing(entry as AsyncIterable<Buffer>, hash));
      found.push({ path, bytes, sha256: hash.digest('hex') });
    }
  })();
  taking.catch((error: Error) => entries.destroy(error));
  const [read, taken] = await Promise.allSettled([reading, taking]);
  for (const one of [taken, read]) if (one.status === 'rejected') throw at(current, one.reason);
  if (manifest === undefined)
    throw new Error(`its list of files is missing, and ${current} is the last file`);
  const { format } = z.object({ format: z.unknown() }).parse(manifest);
  if (format !== 2) throw new Error(`it has format ${format}, and this release reads format 2`);
  const parsed = Manifest.parse(manifest);
  const wrong = parsed.files.findIndex(({ path, sha256 }, index) => {
    return found[index]?.path !== path || found[index].sha256 !== sha256;
  });
  if (wrong >= 0) throw new Error(`${parsed.files[wrong]?.path} is not what was saved`);
  if (found.length !== parsed.files.length) throw new Error('it holds more than was saved');
  return parsed;
}

/** Faults have a text of their own. */
function at(path: string, error: unknown): unknown {
  if (error instanceof Fault || path === '') return error;
  return new Error(`${path}: ${error instanceof Error ? error.message : error}`, { cause: error });
}

async function* hashing(chunks: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}
