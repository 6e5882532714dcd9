import { join as joinPath } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';

// node render-template.ts <checkout> <template> <seconds> <height> <output>
// Renders the sample of a built-in template in 9:16, with the code and the templates of any checkout of this project.
const [, , checkout = '', name = '', seconds = '', height = '', path = ''] = process.argv;
const { signal } = new AbortController();
const log = pino({ level: 'warn' }, pino.destination(2));

// Typed as this checkout's own, which the other one has to match.
const load = async <Module>(file: string): Promise<Module> =>
  import(pathToFileURL(joinPath(checkout, 'src', file)).href);
type Launch = typeof import('../../src/platform/browser/launch-browser.ts');
type Browser = typeof import('../../src/platform/browser/resolve-browser.ts');
type Engine = typeof import('../../src/templates/engine/engine.ts');
type Builder = typeof import('../../src/videos/composition/build-composition.ts');
type Fill = typeof import('../../src/videos/composition/fill.ts');
type Reader = typeof import('../../src/videos/composition/page-reader.ts');
type Files = typeof import('../../src/videos/engine-files.ts');
type Encoder = typeof import('../../src/videos/encode/ffmpeg-encoder.ts');
type Ffmpeg = typeof import('../../src/videos/encode/ffmpeg.ts');
type Join = typeof import('../../src/videos/encode/join.ts');
type Canvas = typeof import('../../src/videos/frames/canvas-frames.ts');
type Modes = typeof import('../../src/videos/frames/capture-mode.ts');
type InPage = typeof import('../../src/videos/frames/in-page-chunk.ts');
type Sessions = typeof import('../../src/videos/frames/render-sessions.ts');
type Chunks = typeof import('../../src/videos/render/chunks.ts');
type Request = typeof import('../../src/videos/request.ts');
type BuiltIns = typeof import('../../src/videos/templates/built-ins.ts');

const { createLauncher } = await load<Launch>('platform/browser/launch-browser.ts');
const { resolveBrowser } = await load<Browser>('platform/browser/resolve-browser.ts');
const { chooseEncoder } = await load<Encoder>('videos/encode/ffmpeg-encoder.ts');
const { findFfmpeg } = await load<Ffmpeg>('videos/encode/ffmpeg.ts');
const { join } = await load<Join>('videos/encode/join.ts');
const { canvasFrames } = await load<Canvas>('videos/frames/canvas-frames.ts');
const { createProbe } = await load<Modes>('videos/frames/capture-mode.ts');
const { inPageChunk } = await load<InPage>('videos/frames/in-page-chunk.ts');
const { createRenderSessions } = await load<Sessions>('videos/frames/render-sessions.ts');
const { chunkGrid } = await load<Chunks>('videos/render/chunks.ts');

const composition = await compose();
const stages = createRenderSessions({
  findBrowser: () => resolveBrowser({ executablePath: process.env['PUPPETEER_EXECUTABLE_PATH'], log }),
  launch: createLauncher(log),
  encoder: chooseEncoder(await findFfmpeg()),
  modes: { probe: createProbe(), canvasFrames, inPageChunk },
  log,
});
const stage = await stages.open(composition, signal);
const ways = new Set<string>();
await join({ chunks: chunks(), fps: composition.fps, path, signal });
await stage.close();
process.stdout.write([...ways].join());

async function compose() {
  const { createEngine } = await load<Engine>('templates/engine/engine.ts');
  const { createCompositionBuilder } = await load<Builder>('videos/composition/build-composition.ts');
  const { createFill } = await load<Fill>('videos/composition/fill.ts');
  const { createPageReader } = await load<Reader>('videos/composition/page-reader.ts');
  const { fontFaces } = await load<Files>('videos/engine-files.ts');
  const { VideoRequest } = await load<Request>('videos/request.ts');
  const { readBuiltIns } = await load<BuiltIns>('videos/templates/built-ins.ts');
  const [engine, reader, builtIns] = [createEngine(), createPageReader(), await readBuiltIns()];
  const template = builtIns.templates.find((one) => one.name === name);
  if (!template) throw new Error(`there is no template ${name} in ${checkout}`);
  const request = VideoRequest.parse({
    ...{ title: template.manifest.title, duration: Number(seconds), template: name },
    ...{ width: (Number(height) * 9) / 16, height: Number(height), data: template.manifest.sample },
  });
  const { page } = await createFill({ engine, reader, fontFaces: fontFaces() })(template, request);
  const fetchAsset = () => Promise.reject(new Error('a built-in template has its own files'));
  const gather = createCompositionBuilder({
    fetchAsset,
    reader,
    prepareClip: fetchAsset,
    files: builtIns.files,
  });
  const composed = await gather(page, signal);
  await Promise.all([engine.close(), reader.close()]);
  return composed;
}

async function* chunks(): AsyncGenerator<Uint8Array> {
  for (const span of chunkGrid({ from: 0, to: composition.frames }, composition)) {
    const request = { span, format: 'mp4', quality: 'standard', signal, onFrame: () => {} } as const;
    const { bytes, engine } = await stage.renderChunk(request);
    ways.add(engine.path);
    yield bytes;
  }
}
