/**
 * A page of the web client: its module below web/src/pages, and what it reads first, as the paths that it calls. `{name}` is a part
 * of the page's own path, `{branch}` what its address says after the `?`.
 */
export type WebPage = {
  readonly module: string;
  readonly reads?: readonly string[];
};

/** What the navigation reads on every page in it. */
export const FRAME = ['/api/v1/user/profile'];

const TODAY = {
  module: 'today/today',
  reads: [
    ...FRAME,
    '/v1/templates?kind=template&limit=200',
    '/videos?status=failed&limit=5',
    '/api/v1/user/usage',
    '/api/v1/history?limit=5',
    '/sync/stores?limit=200',
    '/sync/sheets?limit=200',
  ],
};
const SIGN_IN = { module: 'sign-in/sign-in', reads: [] };

/**
 * The pages of the web client: the server answers these paths with it, and every other path that a browser asks for with
 * the page that says there is none. The client has a page for each, which its compiler checks.
 */
export const PAGES = {
  '/': TODAY,
  '/assets': { module: 'assets/assets' },
  '/billing': { module: 'billing/billing' },
  '/brand': { module: 'brand/brand' },
  '/dashboard': TODAY,
  '/docs': { module: 'docs/docs' },
  '/generator': { module: 'hooks/generator' },
  '/invitations/:token': {
    module: 'sign-in/invitation',
    reads: ['/api/v1/invitations/{token}'],
  },
  '/history': { module: 'hooks/history' },
  '/login': SIGN_IN,
  '/mapping': { module: 'sync/mappings' },
  '/profile': { module: 'profile/profile' },
  '/register': SIGN_IN,
  '/rules': { module: 'rules/rules' },
  '/runs': { module: 'sync/runs' },
  '/runs/plan/:id': { module: 'sync/plan' },
  '/runs/:id': { module: 'sync/run' },
  '/settings/account': { module: 'settings/account' },
  '/settings/people': { module: 'settings/people' },
  '/sheets': { module: 'sync/sheets' },
  '/stores': { module: 'sync/stores' },
  '/templates': { module: 'templates/list' },
  '/templates/:name': {
    module: 'templates/editor',
    reads: [
      ...FRAME,
      '/v1/templates/{name}?branch={branch}&include=html',
      '/v1/templates/{name}/branches',
      '/v1/templates/{name}/fixtures',
    ],
  },
  '/templates/:name/diff': { module: 'templates/difference' },
  '/templates/:name/environments': { module: 'templates/environments' },
  '/templates/:name/merge': { module: 'templates/merge' },
  '/usage': { module: 'hooks/usage' },
  '/videos': { module: 'videos/gallery' },
  '/videos/new': { module: 'videos/new-video' },
  '/videos/templates': { module: 'videos/templates' },
  '/videos/templates/:name': { module: 'videos/template/template-page' },
  '/videos/:id': { module: 'videos/video' },
} as const satisfies Readonly<Record<string, WebPage>>;

export type PagePath = keyof typeof PAGES;
