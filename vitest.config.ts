import { spawnSync } from 'node:child_process';
import { defineConfig } from 'vitest/config';
import { fastFolder } from './test/support/fast-folder.ts';

/** Most of their time is the browser's and the encoder's: `npm run test:video`. */
export const VIDEO_SUITES = [
  'test/platform/browser/**/*.test.ts',
  'test/videos/made-videos.test.ts',
  'test/videos/preview-equals-render.test.ts',
  'test/videos/upload-to-video.test.ts',
  ...['frames', 'encode', 'page'].map((part) => `test/videos/${part}/**/*.test.ts`),
  'test/videos/templates/built-ins.test.ts',
  'test/videos/templates/design.test.ts',
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

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [
      'test/faults/**',
      'test/attacks/**',
      'test/conformance/**',
      'test/real-clients/**',
      'test/web/e2e/**',
      ...VIDEO_SUITES,
      ...skippedHere(),
    ],
    globalSetup: 'test/support/left-engines.ts',
    // A busy machine is late, not wrong.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
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
