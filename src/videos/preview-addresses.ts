export type PreviewAddresses = {
  /** Address of the engine: src/videos/page is served as `<engineUrl>/<path>`, to every origin. */
  readonly engineUrl: string;
  /** Address of the shipped fonts, served as `<fontsUrl>/<family>/<file>`, to every origin. */
  readonly fontsUrl: string;
};

/** Where pages of previews find the engine and the fonts. */
export const PREVIEW_PATHS = {
  engine: '/video-templates/engine',
  fonts: '/video-templates/fonts',
} as const;

/** The addresses of a server that is reached at `baseUrl`. */
export function previewAddresses(baseUrl: string): PreviewAddresses {
  return { engineUrl: `${baseUrl}${PREVIEW_PATHS.engine}`, fontsUrl: `${baseUrl}${PREVIEW_PATHS.fonts}` };
}

/** Media types of stored previews: no other file is shown as a page, and only those with scripts run any. */
export const PREVIEW_TYPES = {
  plain: 'text/html; charset=utf-8; profile=video-preview',
  scripts: 'text/html; charset=utf-8; profile=video-preview-scripts',
} as const;
