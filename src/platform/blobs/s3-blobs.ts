import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { GetObjectCommandOutput, S3Client } from '@aws-sdk/client-s3';
import { Fault } from '../../errors.ts';
import { machineFault } from '../machine-fault.ts';
import { onceAsync } from '../once-async.ts';
import { type Blobs, type ByteRange, checkKey } from './blobs.ts';

/** Where the objects are. Without keys, the credentials of the machine: a role, or what the AWS tools use. */
export type S3Place = {
  readonly bucket: string;
  /** Begins the name of each object; empty for none. */
  readonly prefix: string;
  readonly region: string;
  /** URL of a server other than AWS. */
  readonly endpoint: string | undefined;
  readonly accessKeyId: string | undefined;
  readonly secretAccessKey: string | undefined;
};

const CONNECT_MS = 3_000;
/** Without a byte. */
const IDLE_TIMEOUT_MS = 15_000;
const MAX_ATTEMPTS = 3;
const MAX_SOCKETS = 200;

const SDK = '@aws-sdk/client-s3';

/** The SDK is an optional part: 22 MB that only servers with a bucket need. @throws Fault unavailable.s3_package */
export function requireS3Sdk(): void {
  try {
    import.meta.resolve(SDK);
  } catch (cause) {
    throw new Fault('unavailable.s3_package', { command: `npm install ${SDK}@3` }, { cause });
  }
}

/** Stores blobs as objects of a bucket, of AWS or of a server with its protocol. The SDK is loaded with the first call. */
export function createS3Blobs(place: S3Place, { idleTimeoutMs = IDLE_TIMEOUT_MS } = {}): Blobs {
  const { bucket, prefix } = place;
  const load = onceAsync(async () => {
    requireS3Sdk();
    const sdk = await import('@aws-sdk/client-s3');
    return { sdk, client: openClient(sdk, place, idleTimeoutMs) };
  });
  const target = (key: string) => {
    checkKey(key);
    return { Bucket: bucket, Key: prefix + key };
  };

  return {
    async put(key, bytes) {
      const object = target(key);
      const { sdk, client } = await load();
      const command = new sdk.PutObjectCommand({ ...object, Body: bytes, ContentLength: bytes.length });
      await client.send(command).catch(refuse);
    },

    async putFile(key, path) {
      const object = target(key);
      const { size } = await stat(path);
      const { sdk, client } = await load();
      // The SDK cannot begin a stream again, so each attempt reads the file again.
      for (let attempt = 1; ; attempt++) {
        const body = createReadStream(path);
        const command = new sdk.PutObjectCommand({ ...object, Body: body, ContentLength: size });
        try {
          await client.send(command);
          return;
        } catch (error) {
          if (attempt === MAX_ATTEMPTS || isRefusal(error)) refuse(error);
        } finally {
          body.destroy();
        }
      }
    },

    async open(key, range) {
      const object = target(key);
      const { sdk, client } = await load();
      const command = new sdk.GetObjectCommand({ ...object, ...(range && { Range: rangeHeader(range) }) });
      try {
        return opened(await client.send(command));
      } catch (error) {
        if (nameOf(error) === 'NoSuchKey') return undefined;
        if (nameOf(error) !== 'InvalidRange') return refuse(error);
        // As a folder has it: there is nothing after the end.
        const { ContentLength: size = 0 } = await client
          .send(new sdk.HeadObjectCommand(object))
          .catch(refuse);
        return { size, stream: Readable.from([]) };
      }
    },

    async delete(key) {
      const object = target(key);
      const { sdk, client } = await load();
      await client.send(new sdk.DeleteObjectCommand(object)).catch(refuse);
    },

    async *list() {
      for await (const { key } of objects()) yield key;
    },

    async *keys(before) {
      for await (const { key, at } of objects()) if (at < before) yield key;
    },
  };

  async function* objects() {
    const { sdk, client } = await load();
    // Pages begin after a name, not at a token: deletions between two pages change nothing, and every server knows names.
    for (let last: string | undefined; ; ) {
      const command = new sdk.ListObjectsCommand({ Bucket: bucket, Prefix: prefix, Marker: last });
      const page = await client.send(command).catch(refuse);
      for (const { Key: key, LastModified: at } of page.Contents ?? [])
        if (key && at) yield { key: key.slice(prefix.length), at };
      last = page.Contents?.at(-1)?.Key;
      if (!page.IsTruncated || last === undefined) return;
    }
  }
}

function openClient(
  { S3Client }: typeof import('@aws-sdk/client-s3'),
  place: S3Place,
  idleTimeoutMs: number,
): S3Client {
  const { region, endpoint, accessKeyId, secretAccessKey } = place;
  return new S3Client({
    region,
    maxAttempts: MAX_ATTEMPTS,
    logger: SILENT,
    // Other servers know neither names of buckets in the host nor the newer checksums.
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(accessKeyId && secretAccessKey && { credentials: { accessKeyId, secretAccessKey } }),
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      socketTimeout: idleTimeoutMs,
      httpAgent: { maxSockets: MAX_SOCKETS },
      httpsAgent: { maxSockets: MAX_SOCKETS },
    },
  });
}

// What fails is thrown.
const SILENT = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };

function rangeHeader({ start, end }: ByteRange): string {
  return `bytes=${start}-${end}`;
}

function opened({ Body, ContentRange, ContentLength = 0 }: GetObjectCommandOutput) {
  if (!(Body instanceof Readable)) throw new Error('the answer has no body');
  const whole = /\/(\d+)$/.exec(ContentRange ?? '')?.[1];
  return { size: whole === undefined ? ContentLength : Number(whole), stream: Body };
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}

/** The server has understood, and will not: another attempt changes nothing. */
function isRefusal(error: unknown): boolean {
  const status = statusOf(error);
  return status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 429;
}

function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('$metadata' in error)) return undefined;
  const metadata = error.$metadata as { readonly httpStatusCode?: number };
  return metadata.httpStatusCode;
}

/** Callers can only wait; the operator reads the cause in the log. */
function refuse(error: unknown): never {
  throw (
    machineFault(error) ?? new Fault('unavailable.files_store', {}, { retryAfterSeconds: 10, cause: error })
  );
}
