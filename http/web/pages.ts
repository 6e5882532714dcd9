/**
 * The pages of the web client: the server answers these paths with it, and every other path that a browser asks for with
 * the page that says there is none. The client has a page for each, which its compiler checks.
 */
export const PAGES = [
  '/',
  '/assets',
  '/billing',
  '/brand',
  '/dashboard',
  '/generator',
  '/history',
  '/login',
  '/mapping',
  '/profile',
  '/register',
  '/rules',
  '/runs',
  '/runs/plan/:id',
  '/runs/:id',
  '/settings/account',
  '/settings/people',
  '/sheets',
  '/stores',
  '/templates',
  '/templates/:name',
  '/templates/:name/diff',
  '/templates/:name/environments',
  '/templates/:name/merge',
  '/usage',
  '/videos',
  '/videos/new',
  '/videos/templates',
  '/videos/templates/:name',
  '/videos/:id',
] as const;

export type PagePath = (typeof PAGES)[number];
