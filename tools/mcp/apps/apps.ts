import type { ReadResourceResult } from '@modelcontextprotocol/server';
import type { AppName } from '../../contract/define.ts';
import { buildPage } from './build-page.ts';
import { APP_MEDIA_TYPE } from './shows-apps.ts';
import { appUri } from './tool-meta.ts';

type AppInfo = { readonly title: string; readonly description: string };

const APPS: Readonly<Record<AppName, AppInfo>> = {
  mail: {
    title: 'Email',
    description: 'A rendered email on desktop and phone, light and dark, with a form of its variables',
  },
  diff: {
    title: 'Comparison',
    description: 'Two versions of a template side by side, and a button to promote the new one',
  },
  video: { title: 'Video', description: 'The progress of a video, then the video to play and download' },
  hooks: { title: 'Hooks', description: 'Hooks to copy and to rate, and to have more of' },
  sync: { title: 'Sync', description: 'The plan or the log of a sync as a table, to apply or to undo' },
};

/**
 * The apps as resources: static files without data, the same for everyone.
 *
 * In: an address `ui://…`. Out: one HTML page. Invariant: a page has no data of an account and loads nothing from
 * outside.
 */
export const APP_RESOURCES = Object.entries(APPS).map(([name, { title, description }]) => ({
  // The keys are those of APPS.
  uri: appUri(name as AppName),
  name: `${name}-app`,
  title,
  description,
  mimeType: APP_MEDIA_TYPE,
}));

/** No outside host for anything: the app talks to its own host alone. */
const META = {
  ui: {
    csp: { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] },
    permissions: { clipboardWrite: {} },
    prefersBorder: true,
  },
};

const pages = new Map<AppName, string>();

/** The page of an app by its address, made once; undefined where there is no such app. */
export function readApp(uri: string): ReadResourceResult | undefined {
  const name = Object.keys(APPS).find((one): one is AppName => appUri(one as AppName) === uri);
  if (!name) return undefined;
  const text = pages.get(name) ?? buildPage(name, APPS[name].title);
  pages.set(name, text);
  return { contents: [{ uri, mimeType: APP_MEDIA_TYPE, text, _meta: META }] };
}
