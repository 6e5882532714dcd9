import { createHash, type Hash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { extract, pack } from 'tar-stream';
import { z } from 'zod';

/** A file to put into an archive. Its size must not change while it is read. */
export type Packed = { readonly path: string; readonly bytes: number; read(): Readable };

/** The last file of an archive: what it holds. An archive without it was cut. */
const MANIFEST = 'manifest.json';
const Manifest = z.object({
  format: z.literal(1),
  created_at: z.iso.datetime(),
  files: z.array(z.object({ path: z.string(), bytes: z.int(), sha256: z.string() })),
});

export type Manifest = z.infer<typeof Manifest>;

/**
 * Writes a gzipped tar file of these files and a manifest with their hashes. Only its owner may read it. It appears
 * whole: it is flushed before it gets its name, so it survives a crash of the machine.
 */
export async function writeArchive(
  file: string,
  files: AsyncIterable<Packed> | Iterable<Packed>,
  createdAt: Date,
): Promise<Manifest> {
  // A name that no one can guess, in a folder that others may write to: the file has the key.
  const draft = `${file}.${randomUUID()}.part`;
  const tar = pack();
  const written = fill();
  try {
    // A failure on either side ends the other.
    written.catch((error: Error) => tar.destroy(error));
    await pipeline(tar, createGzip({ level: 1 }), createWriteStream(draft, { flags: 'wx', mode: 0o600 }));
    const manifest = await written;
    const handle = await open(draft, 'r+');
    await handle.sync().finally(() => handle.close());
    await rename(draft, file);
    return manifest;
  } finally {
    await rm(draft, { force: true });
  }

  async function fill(): Promise<Manifest> {
    const listed: Manifest['files'] = [];
    for await (const { path, bytes, read } of files) {
      const hash = createHash('sha256');
      const entry = tar.entry({ name: path, size: bytes, mode: 0o600, mtime: createdAt });
      await pipeline(hashing(read(), hash), entry);
      listed.push({ path, bytes, sha256: hash.digest('hex') });
    }
    const manifest = { format: 1, created_at: createdAt.toISOString(), files: listed } as const;
    tar.entry({ name: MANIFEST, mode: 0o600, mtime: createdAt }, `${JSON.stringify(manifest)}\n`);
    tar.finalize();
    return manifest;
  }
}

/**
 * Reads an archive to its end and checks each file against the manifest.
 * @param take Gets each file in turn, reads it to its end, and keeps it apart until all are checked
 * @throws Error for a file that is no archive, was cut or changed
 */
export async function readArchive(
  file: string,
  take: (path: string, content: AsyncIterable<Buffer>) => Promise<void>,
): Promise<Manifest> {
  const found: Manifest['files'] = [];
  let manifest: unknown;
  const entries = extract();
  const reading = pipeline(createReadStream(file), createGunzip(), entries);
  const taking = (async () => {
    for await (const entry of entries) {
      const { name: path, size: bytes = 0, type } = entry.header;
      if (type !== 'file') throw new Error(`${path} is not a plain file`);
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
  if (taken.status === 'rejected') throw taken.reason;
  if (read.status === 'rejected') throw read.reason;
  if (manifest === undefined) throw new Error('its list of files is missing');
  const parsed = Manifest.parse(manifest);
  const wrong = parsed.files.findIndex(({ path, sha256 }, index) => {
    return found[index]?.path !== path || found[index].sha256 !== sha256;
  });
  if (wrong >= 0) throw new Error(`${parsed.files[wrong]?.path} is not what was saved`);
  if (found.length !== parsed.files.length) throw new Error('it holds more than was saved');
  return parsed;
}

async function* hashing(chunks: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}
