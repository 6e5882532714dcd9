import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HTTP_CLIENTS, outputOf } from '../mcp/support/clients.ts';
import { openServedApp, type ServedApp } from '../support/served-app.ts';
import { newBareKey, useRest } from '../support/server.ts';
import { probe } from '../support/video-server.ts';
import { bytesFrom, say } from './encode/support.ts';

// What docs/guides/product-video.md says, done as it says it: on the command line, over REST and over MCP.

type Json = Record<string, unknown>;
/** Follows a section of the guide with a key, in the folder of the files. @returns the film */
type Transport = (section: string, key: string) => Promise<Buffer>;

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** 9:16, small enough for a test. */
const SIZE = { width: 270, height: 480, fps: 10 };
const FLAGS = Object.entries(SIZE).map(([name, value]) => `--${name} ${value}`);

let app: ServedApp;
let folder: string;
let guide: string;
beforeAll(async () => {
  app = await openServedApp({ VIDEO_WORKERS: '1' });
  await app.videos.start();
  folder = await mkdtemp(join(tmpdir(), 'stallhand-phone-'));
  await filmMedia(folder);
  guide = await readFile(join(ROOT, 'docs/guides/product-video.md'), 'utf8');
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const TRANSPORTS: readonly (readonly [string, Transport])[] = [
  ['On the command line', onCommandLine],
  ['Over REST', overRest],
  ['With an assistant', overMcp],
];

const films = new Map<string, string>();

test.each(TRANSPORTS)(
  '%s, a photo, a song and a clip of a phone become a video in the brand, in four calls',
  { timeout: 300_000 },
  async (title, transport) => {
    const { key } = await newBareKey(app);
    await inShell(blockOf(guide.split('\n## ')[0]), key);
    const film = await transport(sectionOf(title), key);
    const listed = await useRest(app.url, key)('GET', '/videos');
    expect(listed.body).toMatchObject([
      {
        ...{ status: 'completed', error: null, warnings: [], ...SIZE },
        brand: { fields: ['brand.name', 'brand.color', 'brand.accent', 'brand.background'] },
      },
    ]);
    films.set(title, createHash('sha256').update(film).digest('hex'));
    const path = join(folder, 'film.mp4');
    expect((await probe(path))?.streams).toMatchObject([
      { codec_name: 'h264', width: 270, height: 480, nb_read_frames: '60' },
      { codec_name: 'aac' },
    ]);
    // The photo was taken with the phone held upright: red above, blue below. The clip is green.
    expect([await colorAt(path, 1, 0.12), await colorAt(path, 1, 0.4)]).toEqual(['red', 'blue']);
    expect(await colorAt(path, 4.5, 0.12)).toBe('green');
    expect(await levelOf(path)).toBeGreaterThan(0.05);
  },
);

test('it is the same film over every transport', () => {
  expect(films.size).toBe(TRANSPORTS.length);
  expect(new Set(films.values()).size).toBe(1);
});

function sectionOf(title: string): string {
  const section = guide.split('\n## ').find((one) => one.startsWith(title));
  if (!section) throw new Error(`The guide has no section '${title}'.`);
  return section;
}

/** The first block of code. */
function blockOf(text = ''): string {
  return /```\w+\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
}

/** Runs commands of the guide in the folder of the files, against the server of this test. @returns what they print */
async function inShell(commands: string, key: string): Promise<string> {
  const script = commands
    .replaceAll('http://127.0.0.1:8080', app.url)
    .replaceAll('curl -s', `curl -sS --fail-with-body -H 'authorization: Bearer ${key}'`)
    .replaceAll('npx stallhand', `node ${join(ROOT, 'bin/stallhand.cjs')}`);
  const env = { ...process.env, STALLHAND_URL: app.url, STALLHAND_API_KEY: key };
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    ...{ cwd: folder, env },
  });
  return stdout;
}

async function onCommandLine(section: string, key: string): Promise<Buffer> {
  const commands = blockOf(section);
  expect(commands.match(/^npx stallhand/gm)).toHaveLength(4);
  await rm(join(folder, 'film.mp4'), { force: true });
  await inShell(commands.replace(' --wait', ` ${FLAGS.join(' ')} --wait`), key);
  return readFile(join(folder, 'film.mp4'));
}

async function overRest(section: string, key: string): Promise<Buffer> {
  const commands = blockOf(section);
  expect(commands.match(/^curl/gm)).toHaveLength(4);
  const sized = commands.replace('"duration": 6', `"duration": 6, ${JSON.stringify(SIZE).slice(1, -1)}`);
  const printed = await inShell(sized, key);
  return download(JSON.parse(printed.slice(printed.lastIndexOf('{"id":"vid_'))) as Json);
}

/** A model gets a link for each file, to which the shell of its client sends it. */
async function overMcp(section: string, key: string): Promise<Buffer> {
  const [, connect] = HTTP_CLIENTS[0] ?? [];
  const client = await connect?.(`${app.url}/?toolsets=assets,videos`, key);
  if (!client) throw new Error('There is no MCP client.');
  const calls = [...blockOf(section).matchAll(/^(\w+) (\{.*\})$/gm)];
  expect(calls.map(([, tool]) => tool)).toEqual([...Array(3).fill('upload_asset'), 'create_video']);
  let answer: Json = {};
  for (const [, tool = '', input = ''] of calls) {
    const size = tool === 'create_video' ? SIZE : {};
    const args = { ...(JSON.parse(input) as Json), ...size };
    answer = outputOf(await client.callTool(tool, args)) as Json;
    const { upload_url: link, path } = answer;
    if (link) await inShell(`curl -s -T ${String(path).split('/').at(-1)} '${link}'`, key);
  }
  await client.close();
  return download(answer);
}

async function download({ url }: Json): Promise<Buffer> {
  const path = join(folder, 'film.mp4');
  await promisify(execFile)('curl', ['-sS', '--fail', '-o', path, String(url)]);
  return readFile(path);
}

/** What phones make: a photo whose pixels lie on their side, a song, and a clip with a sound that is filmed upright. */
async function filmMedia(into: string): Promise<void> {
  const at = (name: string) => join(into, name);
  const upright = at('upright.png');
  const halves = ['color=red:size=1512x1008', 'color=blue:size=1512x1008'];
  const grain = '[0][1]vstack,noise=alls=24:allf=u';
  const inputs = halves.flatMap((half) => ['-f', 'lavfi', '-i', half]);
  await say('ffmpeg', '-y', ...inputs, '-filter_complex', grain, '-frames:v', '1', upright);
  // Orientation 6: shown, it is turned clockwise.
  await sharp(upright).rotate(-90).withMetadata({ orientation: 6 }).jpeg().toFile(at('mug.jpg'));
  const song = 'aevalsrc=0.3*sin(2*PI*220*t)+0.2*sin(2*PI*330*t):duration=3';
  await say('ffmpeg', '-y', '-f', 'lavfi', '-i', song, '-c:a', 'libmp3lame', at('song.mp3'));
  const film = ['-f', 'lavfi', '-i', 'color=lime:size=960x540:rate=30:duration=3'];
  const noise = ['-f', 'lavfi', '-i', 'anoisesrc=duration=3:amplitude=0.05'];
  const coded = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];
  await say('ffmpeg', '-y', ...film, ...noise, ...coded, at('lying.mp4'));
  const turn = ['-metadata:s:v', 'rotate=90', '-c', 'copy'];
  await say('ffmpeg', '-y', '-i', at('lying.mp4'), ...turn, at('pour.mp4'));
}

/** Which color prevails at a height of the middle of the picture, where 0 is the top. */
async function colorAt(path: string, seconds: number, height: number): Promise<string> {
  const spot = `crop=20:20:iw/2-10:ih*${height}-10,scale=1:1,format=rgb24`;
  const place = ['-ss', String(seconds), '-i', path, '-frames:v', '1', '-vf', spot, '-f', 'rawvideo', '-'];
  const [red = 0, green = 0, blue = 0] = await bytesFrom(...place);
  const [first, second] = Object.entries({ red, green, blue }).sort(([, a], [, b]) => b - a);
  if (!first || !second || first[1] < 2 * second[1]) return `${red}, ${green}, ${blue}`;
  return first[0];
}

/** Root mean square of the sound's samples, where 1 is full scale. */
async function levelOf(path: string): Promise<number> {
  const bytes = await bytesFrom('-i', path, '-ac', '1', '-ar', '8000', '-f', 'f32le', '-');
  const samples = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
}
