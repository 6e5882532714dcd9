import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import type { InlineConfig } from 'vite';

export const WEB_ROOT = fileURLToPath(new URL('../', import.meta.url));

/** Of about 60 parts that load apart. */
const MANY_PAGES = 4;

/**
 * What a page starts with is one file, not one for each module that some other page also has: over HTTP/1.1 a phone waits for
 * six files at a time.
 */
const START = {
  name: 'start',
  tags: ['$initial' as const],
  test: (id: string) => !/\.html|\/src\/public\//.test(id),
};

/** What many pages have, and is small: one file, which the page names, in place of two dozen that a page asks for later. */
const COMMON = {
  name: 'common',
  minShareCount: MANY_PAGES,
  test: (id: string) => OWN_PARTS.test(id) || PACKAGE_PARTS.test(id),
};
const OWN_PARTS =
  /\/web\/src\/(api|i18n|[^/]+\.ts$|ui\/(?!code|editor|styles|\w*-?dialog|long-rows|preview-frame))/;
const PACKAGE_PARTS =
  /lucide-react|@tanstack|@mantine\/core\/.*\/(Input|InputBase|TextInput|CloseButton|core\/utils)\/|@mantine\/hooks\/.*\/use-(id|merged-ref|uncontrolled)\//;

/**
 * Parts of a few pages that Today or the editor shows at once. Each alone is some hundred bytes, and a request that a phone waits
 * for.
 */
const FEW_PAGES = [
  ['glance', /pages\/(videos\/(facts|video-card|video-state)|sync\/(follow-run|run-state))/],
  ['editing', /pages\/templates\/(pdf-button|use-\w+)|\/ui\/(editor\/(?!new-template)|preview-frame)/],
] as const;

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
            groups: [START, COMMON, ...FEW_PAGES.map(([name, test]) => ({ name, test, minShareCount: 2 }))],
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
