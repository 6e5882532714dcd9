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

/**
 * What pages share and is small, in three files that a page names, in place of some dozens that it asks for later: each alone is
 * some hundred bytes, and a request that a phone waits for. Today has the first, the editor all of them.
 */
const SHARED = {
  common: [
    /\/web\/src\/(api|i18n|[^/]+\.ts$|ui\/(?!code|editor|styles|sample|\w*-?dialog|long-rows|preview-frame))/,
    /lucide-react|@tanstack|to-int|@mantine\/core\/.*\/(Input|InputBase|TextInput|CloseButton|core\/utils)\/|@mantine\/hooks\/.*\/use-(id|merged-ref|uncontrolled|callback-ref)\//,
    /pages\/(videos\/(facts|video-card|video-state)|sync\/(follow-run|run-state))/,
  ],
  controls: [
    /@mantine\/.*\/(NativeSelect|Combobox\w*|SegmentedControl|FloatingIndicator|use-hotkeys)[./]/,
    /\/web\/src\/ui\/styles\/(segmented|select)\.ts/,
  ],
  editing: [/pages\/templates\/(pdf-button|use-\w+)|\/ui\/(editor\/(?!new-template)|preview-frame)/],
} as const;

/** In two pages or more. */
const sharedGroup = ([name, parts]: readonly [string, readonly RegExp[]]) => ({
  name,
  minShareCount: 2,
  test: (id: string) => parts.some((part) => part.test(id)),
});

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
        output: {
          codeSplitting: {
            groups: [START, ...Object.entries(SHARED).map(sharedGroup)],
          },
        },
      },
      // Every browser that the target names has it.
      modulePreload: { polyfill: false },
      // A picture in a style sheet would need data: in the policy, and is sent again with each change of the sheet.
      assetsInlineLimit: 0,
      reportCompressedSize: false,
    },
  };
}
