// node render.mjs <bundle> <composition> <frames> <browser> <output>
import { openBrowser, renderMedia, selectComposition } from '@remotion/renderer';

const [, , serveUrl, id, frames, browserExecutable, outputLocation] = process.argv;
const chrome = { browserExecutable, chromeMode: 'headless-shell', logLevel: 'error' };
const puppeteerInstance = await openBrowser('chrome', chrome);
const shared = { serveUrl, puppeteerInstance, ...chrome };
const composition = await selectComposition({ ...shared, id });
await renderMedia({
  ...shared,
  composition,
  outputLocation,
  codec: 'h264',
  concurrency: 2,
  x264Preset: 'veryfast',
  crf: 20,
  jpegQuality: 90,
  muted: true,
  frameRange: [0, Number(frames) - 1],
});
await puppeteerInstance.close({ silent: false });
