import { randomUUID } from 'node:crypto';
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import type { Config } from '../../../src/config.ts';
import { createS3Blobs } from '../../../src/platform/blobs/s3-blobs.ts';
import { createLauncher } from '../../../src/platform/browser/launch-browser.ts';
import { resolveBrowser } from '../../../src/platform/browser/resolve-browser.ts';
import { createLog } from '../../../src/platform/log.ts';
import { verifySmtp } from '../../../src/providers/smtp.ts';
import { findFfmpeg } from '../../../src/videos/encode/ffmpeg.ts';
import { broken, type Finding, hint, ok, reasonOf } from './finding.ts';

const GIB = 1024 ** 3;

/** Writes, reads and deletes a file where the server keeps its files: in its bucket or folder. */
export function checkFiles(config: Config): Promise<Finding> {
  return config.s3 ? checkBucket(config.s3) : checkFolder(config);
}

async function checkBucket(s3: NonNullable<Config['s3']>): Promise<Finding> {
  const blobs = createS3Blobs(s3);
  const key = `doctor-${randomUUID()}`;
  const place = `s3://${s3.bucket}/${s3.prefix}`;
  try {
    await blobs.put(key, Buffer.from('doctor'));
    const blob = await blobs.open(key, { start: 2, end: 4 });
    const read = blob && String(await buffer(blob.stream));
    await blobs.delete(key);
    if (read !== 'cto' || (await blobs.open(key))) throw new Error('It does not return what was written.');
    return ok('bucket', `${place} can be written, read in parts, and cleared`);
  } catch (error) {
    return broken(
      'bucket',
      `${place} cannot be used: ${reasonOf(error)}`,
      'Check S3_BUCKET, S3_REGION, S3_ENDPOINT and the keys: they need PutObject, GetObject, DeleteObject and ListBucket.',
    );
  }
}

/** Writes a file where the server keeps its files, and checks the free space. `least`: bytes. */
export async function checkFolder({ blobsDir, dataDir }: Config, least = GIB): Promise<Finding> {
  const folder = blobsDir ?? join(dataDir, 'files');
  const probe = join(folder, `.doctor-${randomUUID()}`);
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(probe, 'doctor');
    await rm(probe);
  } catch (error) {
    return broken(
      'folder',
      `${folder} cannot be written: ${reasonOf(error)}`,
      'Make it writable for the user that runs the server, or set BLOBS_DIR or DATA_DIR.',
    );
  }
  const { bavail, bsize } = await statfs(folder);
  const free = `${((bavail * bsize) / GIB).toFixed(1)} GiB free`;
  if (bavail * bsize >= least) return ok('folder', `${folder} can be written, ${free}`);
  return hint(
    'folder',
    `${folder} can be written, with only ${free}`,
    'Free some space: files and videos are rejected when the disk is full.',
  );
}

type Resolving = Pick<Parameters<typeof resolveBrowser>[0], 'installed' | 'unpack'>;

/** Starts the browser that PDFs, screenshots and videos need, and ends it. */
export async function checkBrowser({ browserPath }: Config, resolving: Resolving = {}): Promise<Finding> {
  const log = createLog('silent');
  try {
    const found = await resolveBrowser({ executablePath: browserPath, log, ...resolving });
    const { chromium, sandbox, close } = await createLauncher(log)(found);
    const version = await chromium.version().finally(close);
    const what = `${version} starts (${basename(found.executable)})`;
    if (browserPath !== undefined && found.executable !== browserPath)
      return hint(
        'browser',
        `${what}, but PUPPETEER_EXECUTABLE_PATH names no browser`,
        'Correct or unset it.',
      );
    if (!sandbox)
      return hint(
        'browser',
        `${what}, without its sandbox`,
        'Run the server as a user other than root, on a system that allows user namespaces.',
      );
    return ok('browser', what);
  } catch (error) {
    return broken(
      'browser',
      reasonOf(error),
      'PDFs, screenshots and videos need it: install one, or set PUPPETEER_EXECUTABLE_PATH.',
    );
  }
}

/** `path`: where programs are looked for, as in PATH. */
export async function checkFfmpeg(path?: string): Promise<Finding> {
  const ffmpeg = await findFfmpeg(path);
  if (!ffmpeg)
    return hint(
      'ffmpeg',
      'There is none on the PATH: the browser encodes videos, and GIFs are rejected.',
      'Install ffmpeg.',
    );
  if (!ffmpeg.encoders.has('libx264'))
    return hint('ffmpeg', `version ${ffmpeg.version} has no libx264`, 'Install an ffmpeg with libx264.');
  return ok('ffmpeg', `version ${ffmpeg.version}`);
}

/** Signs in to the mail server, and sends nothing. */
export async function checkMail({ smtpUrl, loopback }: Config): Promise<Finding> {
  if (smtpUrl === undefined)
    return hint(
      'mail',
      loopback ? 'Emails are written to the log.' : 'No emails are sent: sign-in codes are disabled.',
      'Set SMTP_URL and MAIL_FROM.',
    );
  try {
    await verifySmtp(smtpUrl);
    return ok('mail', 'signed in to the server in SMTP_URL');
  } catch (error) {
    return broken(
      'mail',
      `Could not sign in to the server in SMTP_URL: ${reasonOf(error)}`,
      'Check host, port, user and password.',
    );
  }
}

const Health = z.object({ status: z.literal('ok'), version: z.string() });

/** Whether the port is free, or a Stallhand server uses it. */
export async function checkPort({ host, port }: Config): Promise<Finding> {
  const error = await listenOnce(host, port);
  if (error === undefined) return ok('port', `${port} on ${host} is free`);
  const code = 'code' in error ? error.code : undefined;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return broken('port', `${host} is not an address of this machine.`, 'Set HOST to one, or to 0.0.0.0.');
  if (code !== 'EADDRINUSE') return broken('port', reasonOf(error), 'Set another PORT.');
  const running = await healthOf(host, port);
  if (running) return ok('port', `Stallhand ${running.version} runs on ${port}`);
  return broken('port', `Another program uses port ${port}.`, 'Stop that program, or set another PORT.');
}

function listenOnce(host: string, port: number): Promise<Error | undefined> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', done);
    server.listen(port, host, () => server.close(() => done(undefined)));
  });
}

async function healthOf(host: string, port: number) {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const url = `http://${name.includes(':') ? `[${name}]` : name}:${port}/health`;
  const answer = await fetch(url, { signal: AbortSignal.timeout(3_000) })
    .then((response) => response.json())
    .catch(() => undefined);
  return Health.safeParse(answer).data;
}
