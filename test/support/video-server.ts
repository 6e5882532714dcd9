import { execFile } from 'node:child_process';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { newFolder, type ServerProcess, startProcess } from '../faults/server-process.ts';
import { readEvents } from '../http/event-reader.ts';
import { childProcesses } from './child-processes.ts';

export type Json = Record<string, unknown>;

export type VideoServer = ServerProcess & {
  /** Its data and temporary files; no other process uses them. */
  readonly folder: string;
  /** Every state of a video from now on, as it is told to its owner, until its end. */
  follow(id: unknown, headers?: Record<string, string>): AsyncGenerator<Json>;
  /** Asks for a video and waits for its end. */
  make(body: Json): Promise<Json>;
  /** Saves a template whose page is in `#stage`, under a name. */
  save(name: string, inner: string, manifest?: Json): Promise<void>;
  /** What it has running and standing on the machine for its videos: processes, profiles of browsers, and folders. */
  traces(): Promise<string[]>;
  /** The files it keeps of a video. */
  kept(id: unknown): Promise<string[]>;
  close(): Promise<void>;
};

const INTERNET = fileURLToPath(new URL('./one-host-internet.ts', import.meta.url));

/** A peer on the Internet of the server: see one-host-internet.ts. */
type Peer = { readonly port: number; readonly ca: string };

/** The product as a process of its own, with everything it needs in a folder of its own. */
export async function startVideoServer(
  settings: Readonly<Record<string, string>> = {},
  peer?: Peer,
): Promise<VideoServer> {
  const folder = await newFolder();
  const temporary = join(folder.path, 'tmp');
  await mkdir(temporary);
  const server = await startProcess(join(folder.path, 'data'), {
    ...{ VIDEO_WORKERS: '1', TMPDIR: temporary, ...settings },
    ...(peer && (await peerSettings(folder.path, peer))),
  });
  const { url, rest, pid } = server;
  return { ...server, folder: folder.path, follow, make, save, traces, kept, close };

  async function* follow(id: unknown, headers: Record<string, string> = {}): AsyncGenerator<Json> {
    for await (const { data } of readEvents(await fetch(`${url}/videos/${id}/events`, { headers })))
      yield data;
  }

  async function make(body: Json): Promise<Json> {
    const asked = await rest('POST', '/videos', { body: { title: 'Opening day', ...SMALL, ...body } });
    if (asked.status !== 200) throw new Error(JSON.stringify(asked.body));
    const states = await Array.fromAsync(follow(asked.body['id']));
    return states.at(-1) ?? {};
  }

  async function save(name: string, inner: string, manifest: Json = {}): Promise<void> {
    const html = `<!doctype html><div id="stage">${inner}</div>`;
    const body = { html, manifest: { title: name, ...manifest } };
    const { status, body: answer } = await rest('PUT', `/video-templates/${name}`, { body });
    if (status >= 300) throw new Error(JSON.stringify(answer));
  }

  async function traces(): Promise<string[]> {
    const folders = await Promise.all([temporary, '/dev/shm'].map((root) => readdir(root).catch(() => [])));
    const own = [`stallhand-browser-${pid}-`, 'stallhand-video-'];
    return [
      ...(await childProcesses(pid)),
      ...folders.flat().filter((name) => own.some((prefix) => name.startsWith(prefix))),
    ];
  }

  async function kept(id: unknown): Promise<string[]> {
    const all = await readdir(join(folder.path, 'data', 'files'), { recursive: true }).catch(() => []);
    return all.filter((name) => name.includes(String(id)));
  }

  async function close(): Promise<void> {
    await server.kill();
    await folder.remove();
    const left = (await readdir('/dev/shm').catch(() => [])).filter((name) =>
      name.startsWith(`stallhand-browser-${pid}-`),
    );
    for (const name of left) await rm(join('/dev/shm', name), { recursive: true, force: true });
  }
}

/** Where the size does not matter. */
export const SMALL = { duration: 0.5, width: 64, height: 64, fps: 10, quality: 'draft' };

async function peerSettings(folder: string, { port, ca }: Peer): Promise<Record<string, string>> {
  const file = join(folder, 'peer.pem');
  await writeFile(file, ca);
  const nodeOptions = `${process.env['NODE_OPTIONS'] ?? ''} --import=${INTERNET}`.trim();
  return { NODE_OPTIONS: nodeOptions, NODE_EXTRA_CA_CERTS: file, PEER_PORT: String(port) };
}

/** What ffprobe says of a file, its frames counted. Undefined where there is no ffprobe. */
export async function probe(path: string): Promise<{ streams: Json[]; format: Json } | undefined> {
  const entries =
    'stream=codec_name,width,height,pix_fmt,color_space,color_range,color_primaries,color_transfer,nb_read_frames,avg_frame_rate,duration:format=duration';
  const args = ['-v', 'error', '-count_frames', '-show_entries', entries, '-of', 'json', path];
  try {
    const { stdout } = await promisify(execFile)('ffprobe', args);
    return JSON.parse(stdout);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The boxes of an MP4 file, in their order. */
export function boxesOf(bytes: Buffer): string[] {
  const names: string[] = [];
  for (let at = 0; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32BE(at);
    names.push(bytes.toString('latin1', at + 4, at + 8));
    at += size === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : Math.max(8, size);
  }
  return names;
}

/** The file behind a link. */
export async function bytesAt(link: unknown): Promise<Buffer> {
  const answer = await fetch(String(link));
  if (!answer.ok) throw new Error(`${link}: ${answer.status}`);
  return Buffer.from(await answer.arrayBuffer());
}

/** A tone as a WAV file in a data: address: 8,000 samples of 8 bits a second. */
export function tone(seconds: number): string {
  const samples = Math.round(8_000 * seconds);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8_000, 24);
  head.writeUInt32LE(8_000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples, 40);
  const wave = Buffer.from(
    Uint8Array.from(
      { length: samples },
      (_, i) => 128 + Math.round(60 * Math.sin((i * 440 * 2 * Math.PI) / 8_000)),
    ),
  );
  return `data:audio/wav;base64,${Buffer.concat([head, wave]).toString('base64')}`;
}
