import { spawnSync } from 'node:child_process';
import { defineConfig } from 'vitest/config';
import { fastFolder } from './test/support/fast-folder.ts';

/** Most of their time is the browser's and the encoder's: `npm run test:video`. */
export const VIDEO_SUITES = [
  'test/platform/browser/**/*.test.ts',
  'test/videos/made-videos.test.ts',
  'test/videos/preview-equals-render.test.ts',
  'test/videos/transparent.test.ts',
  'test/videos/upload-to-video.test.ts',
  ...['frames', 'encode', 'page'].map((part) => `test/videos/${part}/**/*.test.ts`),
  'test/videos/templates/built-ins.test.ts',
  'test/videos/templates/design.test.ts',
];

/** What a caller meets over REST, MCP and the bridge, and each documented example over each: `npm run test:transports`. */
export const TRANSPORT_SUITES = [
  'test/http/**/*.test.ts',
  'test/mcp/**/*.test.ts',
  'test/eval/**/*.test.ts',
  'test/cli/mcp-bridge.test.ts',
  'test/transports.test.ts',
];

/** Programs as they are started, and what works on a whole machine or a whole database: `npm run test:processes`. */
export const PROCESS_SUITES = [
  'test/distribution/install-page.test.ts',
  'test/platform/backup/**/*.test.ts',
  'test/platform/blobs/s3-blobs.test.ts',
  'test/platform/database/database.test.ts',
  'test/platform/database/embedded/pglite-thread.test.ts',
  'test/support/embedded-engines.test.ts',
  'test/tools/commands/**/*.test.ts',
];

/** Their videos are test pictures that ffmpeg makes. The product itself does without it. */
const NEED_FFMPEG = [
  'test/http/metrics.test.ts',
  'test/http/videos/files.test.ts',
  'test/mcp/videos.test.ts',
  'test/tools/stdio/files.test.ts',
  'test/videos/cleanup.test.ts',
  'test/videos/render/scheduler.test.ts',
  'test/videos/render/statements.test.ts',
  'test/videos/videos.test.ts',
  'test/videos/webhooks.test.ts',
  'test/webhooks/sender.test.ts',
];

/** What has a script of its own. `test/support/suites.test.ts` compares. */
export const OTHER_SUITES = [
  'test/faults/**',
  'test/attacks/**',
  'test/conformance/**',
  'test/real-clients/**',
  'test/web/e2e/**',
  ...VIDEO_SUITES,
  ...TRANSPORT_SUITES,
  ...PROCESS_SUITES,
];

/** Tests that this machine cannot run. */
export const SKIPPED = skippedHere();

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...OTHER_SUITES, ...SKIPPED],
    globalSetup: 'test/support/left-engines.ts',
    // A busy machine is late, not wrong.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    // Saves 5 to 10 % of the processor: by default V8 moves what is young through 16 MB again and again.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=128'],
    // Files share nothing but modules, and loading those and compiling the engine takes longer than most files' tests.
    isolate: false,
    env: { TMPDIR: fastFolder() },
    alias: { piscina: `${import.meta.dirname}/test/support/kept-threads.ts` },
  },
});

/** What this machine cannot run, said loudly. */
function skippedHere(): readonly string[] {
  if (!spawnSync('ffmpeg', ['-version']).error) return [];
  const files = NEED_FFMPEG.map((file) => `\n  ${file}`).join('');
  process.stderr.write(
    `SKIPPED: ffmpeg is not installed, which these tests need. Install it to run them:${files}\n`,
  );
  return NEED_FFMPEG;
}
