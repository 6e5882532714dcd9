import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import type { InlineConfig } from 'vite';

export const WEB_ROOT = fileURLToPath(new URL('../', import.meta.url));

/**
 * What a page starts with is one file, not one for each module that some other page also has: over HTTP/1.1 a phone waits for
 * six files at a time.
 */
const START = {
  name: 'start',
  tags: ['$initial' as const],
  test: (id: string) => !/\.html|\/src\/public\//.test(id),
};

/** How Vite builds and serves the client. Its files are below /web/, apart from every route of the API. */
export function clientConfig(outDir: string): InlineConfig {
  return {
    root: WEB_ROOT,
    configFile: false,
    logLevel: 'warn',
    plugins: [react()],
    build: {
      outDir,
      emptyOutDir: true,
      assetsDir: 'web',
      target: 'es2023',
      manifest: true,
      // The client, and the pages that the server makes for visitors.
      rolldownOptions: {
        input: ['index.html', 'public.html'].map((name) => `${WEB_ROOT}${name}`),
        output: { codeSplitting: { groups: [START] } },
      },
      // Every browser that the target names has it.
      modulePreload: { polyfill: false },
      // A picture in a style sheet would need data: in the policy, and is sent again with each change of the sheet.
      assetsInlineLimit: 0,
      reportCompressedSize: false,
    },
  };
}
