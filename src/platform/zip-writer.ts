import { promisify } from 'node:util';
import { crc32, deflateRaw, deflateRawSync } from 'node:zlib';

const deflate = promisify(deflateRaw);

type ZipWriter = {
  /** Adds a file under a path that no other has. */
  add(path: string, bytes: Buffer): Promise<void>;
  /** Writes the list of the files; the archive is complete then. Returns its size in bytes. */
  end(): Promise<number>;
};

/** Version 2.0 of the format, as the lowest that knows folders and deflate; 4.5 for archives of more than 65,534 files. */
const VERSION = { plain: 20, zip64: 45 } as const;
/** Names are UTF-8. */
const FLAGS = 0x0800;
const METHODS = { stored: 0, deflated: 8 } as const;
/** 1 January 1980, the first day of the format, which has local time and no zone. */
const DATE = (1 << 5) | 1;
/** A file that its owner writes and everyone reads, in an archive made on Unix. */
const MODE = 0o100644;
const MADE_ON_UNIX = 3 << 8;
const MOST_BYTES = 0xffff_ffff;
const MOST_ENTRIES = 0xfffe;
/** Readers take an archive that shrinks more for a bomb. */
const MOST_SHRINKING = 50;
/** Handing so few bytes to another thread takes longer than compressing them. */
const FEW_BYTES = 4_096;
/** So few never become smaller, and trying takes memory for each file. */
const LEAST_BYTES = 4;

/**
 * Writes a zip archive file by file: only its list, about a hundred bytes a file, stays in memory. The bytes depend on
 * nothing but the files and their order.
 * @throws Error over 4 GB
 */
export function createZipWriter(write: (bytes: Buffer) => Promise<unknown>): ZipWriter {
  const list: Buffer[] = [];
  let offset = 0;

  async function put(bytes: Buffer): Promise<void> {
    offset += bytes.length;
    if (offset > MOST_BYTES) throw new Error('an archive of more than 4 GB');
    await write(bytes);
  }

  return {
    async add(path, bytes) {
      const name = Buffer.from(path);
      const { method, packed } = await pack(bytes);
      const about = Buffer.alloc(26);
      about.writeUInt16LE(VERSION.plain, 0);
      about.writeUInt16LE(FLAGS, 2);
      about.writeUInt16LE(method, 4);
      about.writeUInt16LE(DATE, 8);
      about.writeUInt32LE(crc32(bytes), 10);
      about.writeUInt32LE(packed.length, 14);
      about.writeUInt32LE(bytes.length, 18);
      about.writeUInt16LE(name.length, 22);
      const place = Buffer.alloc(14);
      place.writeUInt32LE((MODE << 16) >>> 0, 6);
      place.writeUInt32LE(offset, 10);
      const entry = Buffer.concat([listSignature(), about, place, name]);
      // Memory of its own: a small part of the pool that buffers share would keep all of it.
      list.push(Buffer.alloc(entry.length, entry));
      await put(Buffer.concat([signature(0x0403), about, name, packed]));
    },

    async end() {
      const start = offset;
      await put(Buffer.concat(list));
      const size = offset - start;
      if (list.length > MOST_ENTRIES) await put(largeEnd(list.length, size, start));
      await put(plainEnd(Math.min(list.length, 0xffff), size, start));
      return offset;
    },
  };
}

async function pack(bytes: Buffer) {
  if (bytes.length <= LEAST_BYTES) return { method: METHODS.stored, packed: bytes };
  const deflated = bytes.length <= FEW_BYTES ? deflateRawSync(bytes) : await deflate(bytes);
  const isSmaller = deflated.length < bytes.length && deflated.length * MOST_SHRINKING > bytes.length;
  return isSmaller
    ? { method: METHODS.deflated, packed: deflated }
    : { method: METHODS.stored, packed: bytes };
}

function signature(kind: number): Buffer {
  return Buffer.from([0x50, 0x4b, kind & 0xff, kind >> 8]);
}

function listSignature(): Buffer {
  const madeBy = Buffer.alloc(2);
  madeBy.writeUInt16LE(MADE_ON_UNIX | VERSION.plain);
  return Buffer.concat([signature(0x0201), madeBy]);
}

function plainEnd(entries: number, size: number, start: number): Buffer {
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries, 4);
  end.writeUInt16LE(entries, 6);
  end.writeUInt32LE(size, 8);
  end.writeUInt32LE(start, 12);
  return Buffer.concat([signature(0x0605), end]);
}

/** What the plain end has no room for, and where it stands. */
function largeEnd(entries: number, size: number, start: number): Buffer {
  const end = Buffer.alloc(52);
  end.writeBigUInt64LE(44n, 0);
  end.writeUInt16LE(MADE_ON_UNIX | VERSION.zip64, 8);
  end.writeUInt16LE(VERSION.zip64, 10);
  end.writeBigUInt64LE(BigInt(entries), 20);
  end.writeBigUInt64LE(BigInt(entries), 28);
  end.writeBigUInt64LE(BigInt(size), 36);
  end.writeBigUInt64LE(BigInt(start), 44);
  const locator = Buffer.alloc(16);
  locator.writeBigUInt64LE(BigInt(start + size), 4);
  locator.writeUInt32LE(1, 12);
  return Buffer.concat([signature(0x0606), end, signature(0x0706), locator]);
}
