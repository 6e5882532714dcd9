import { readFile } from 'node:fs/promises';
import { type Request, type Response, Router } from 'express';
import Handlebars from 'handlebars';
import en from '../../locales/public/en.json' with { type: 'json' };
import es from '../../locales/public/es.json' with { type: 'json' };
import type { App } from '../../src/app.ts';
import type { Config } from '../../src/config.ts';
import { Fault } from '../../src/errors.ts';
import type { Locale } from '../../src/language.ts';
import { baseUrlOf } from '../request.ts';
import { offersOf } from './offers.ts';
import { type PageShell, type Preferences, readPreferences } from './page-shell.ts';
import type { SocialPicture, SocialPictures } from './social-pictures.ts';

type PublicParts = {
  readonly app: Pick<App, 'billing' | 'blog'>;
  readonly config: Pick<Config, 'publicUrl'>;
  /** The built web/public.html. */
  readonly shell: PageShell;
  readonly pictures: SocialPictures;
};

type Text = typeof en;
const TEXTS: Readonly<Record<Locale, Text>> = { en, es };
const POSTS = 20;
const MOST_IN_FEED = 100;
const REEL = ['product', 'testimonial', 'hook'];
const ROWS = [
  { row: 4, sku: 'TIDE-MUG-BLU', was: 18, now: 11 },
  { row: 5, sku: 'TIDE-MUG-SND', was: 6, now: 24 },
  { row: 13, sku: 'FERN-BOWL-S', was: 14, now: 31 },
];

type Shown = {
  readonly view: View;
  readonly title: string;
  readonly description: string;
  readonly at: string;
  readonly picture: SocialPicture | undefined;
  /** The picture, for people who cannot see it. */
  readonly words: string;
};
type View = 'landing' | 'pricing' | 'blog' | 'post';

export type PublicPages = {
  /** `/welcome`, `/pricing`, `/blog` and its posts, `/feed.xml` and `/sitemap.xml`. */
  readonly router: Router;
  /** What a visitor gets at `/`. */
  landing(req: Request, res: Response): Promise<void>;
};

/**
 * The pages for people without an account, made on the server: they work without JavaScript, but for the box that writes
 * hooks. Prices are those of the billing, posts those of the blog.
 */
export async function createPublicPages({ app, config, shell, pictures }: PublicParts): Promise<PublicPages> {
  const views = await compileViews();
  const router = Router();

  router.get('/welcome', landing);
  router.get('/pricing', async (req, res) => {
    const seen = readPreferences(req, shell.language);
    const t = TEXTS[seen.locale];
    const shown = {
      title: `${t.pricingTitle} · Stallhand`,
      description: t.pricingDescription,
      at: '/pricing',
      picture: pictures.of(seen.locale, 'pricing'),
      words: `${t.pricingTitle}. ${t.pricingLead}`,
    };
    send(req, res, seen, { view: 'pricing', ...shown }, await prices(seen.locale));
  });
  router.get('/blog', async (req, res, next) => {
    if (!wantsPage(req)) return next();
    const seen = readPreferences(req, shell.language);
    const t = TEXTS[seen.locale];
    const cursor = typeof req.query['cursor'] === 'string' ? req.query['cursor'] : undefined;
    const { items, next_cursor, problem } = await app.blog
      .list(seen.locale, { limit: POSTS, ...(cursor && { cursor }) })
      .then((page) => ({ ...page, problem: undefined }))
      .catch((error: unknown) => {
        if (!(error instanceof Fault)) throw error;
        return { items: [], next_cursor: null, problem: t.blogDown };
      });
    const posts = items.map((post) => ({ ...post, day: dayOf(post.date, seen.locale) }));
    const shown = {
      title: `${t.blog} · Stallhand`,
      description: t.blogDescription,
      at: '/blog',
      picture: pictures.of(seen.locale, 'blog'),
      words: `${t.blog}. ${t.blogDescription}`,
    };
    send(
      req,
      res,
      seen,
      { view: 'blog', ...shown },
      { posts, next: next_cursor, problem },
      problem ? 503 : 200,
    );
  });
  router.get('/blog/:slug', async (req, res, next) => {
    const seen = readPreferences(req, shell.language);
    const slug = req.params.slug;
    const post = await app.blog.get(seen.locale, slug).catch((error: unknown) => {
      if (error instanceof Fault && error.code === 'not_found') return undefined;
      throw error;
    });
    // A page of the client says that there is none.
    if (!post) return next();
    const shown = {
      title: `${post.title} · Stallhand`,
      description: post.excerpt,
      at: `/blog/${post.slug}`,
      picture: pictures.ofPost(seen.locale, post),
      words: post.title,
    };
    send(req, res, seen, { view: 'post', ...shown }, { post, day: dayOf(post.date, seen.locale) });
  });
  router.get('/feed.xml', async (req, res) => {
    const { locale } = readPreferences(req, shell.language);
    const base = baseUrlOf(req, config.publicUrl);
    const { items } = await app.blog.list(locale, { limit: MOST_IN_FEED });
    const updated = items[0]?.date ?? '1970-01-01';
    const feed = views.feed({ base, updated, locale, items, title: TEXTS[locale].title });
    res.type('application/atom+xml').set('Cache-Control', 'public, max-age=600').send(feed);
  });
  router.get('/sitemap.xml', async (req, res) => {
    const base = baseUrlOf(req, config.publicUrl);
    const { items } = await app.blog.list(shell.language, { limit: MOST_IN_FEED });
    const places = ['/welcome', '/pricing', '/blog', ...items.map(({ slug }) => `/blog/${slug}`)];
    res
      .type('application/xml')
      .set('Cache-Control', 'public, max-age=600')
      .send(views.sitemap({ base, places }));
  });
  return { router, landing };

  async function landing(req: Request, res: Response): Promise<void> {
    const seen = readPreferences(req, shell.language);
    const { title, description, hero } = TEXTS[seen.locale];
    const picture = pictures.of(seen.locale, 'landing');
    const shown = { view: 'landing', title, description, at: '/welcome', picture, words: hero } as const;
    send(req, res, seen, shown, { ...(await prices(seen.locale)), pictures: REEL, rows: ROWS });
  }

  async function prices(locale: Locale) {
    const { items } = await app.billing.plans({ app: 'hooks' }, locale);
    return offersOf(items, locale, TEXTS[locale]);
  }

  function send(
    req: Request,
    res: Response,
    seen: Preferences,
    { view, title, description, at, picture, words }: Shown,
    values: object,
    status = 200,
  ): void {
    const { locale } = seen;
    const t = TEXTS[locale];
    const base = baseUrlOf(req, config.publicUrl);
    const content = views[view]({ ...values, t, base });
    const other = { code: locale === 'en' ? 'es' : 'en', name: t.other };
    const body = views.layout({ t, content, page: view === 'post' ? 'blog' : view, home: '/', other });
    const social = picture && {
      ...picture,
      at: picture.at.startsWith('/') ? `${base}${picture.at}` : picture.at,
    };
    const head = views.head({ title, description, url: `${base}${at}`, locale, social, words });
    shell.send(req, res, { status, head, body, seen });
  }
}

const wantsPage = (req: Request) => req.accepts(['json', 'html']) === 'html';

function dayOf(date: string, locale: Locale): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date));
}

const VIEWS = ['head', 'layout', 'landing', 'pricing', 'blog', 'post', 'feed', 'sitemap'] as const;

async function compileViews() {
  const read = (name: string) => readFile(new URL(`../../views/public/${name}.hbs`, import.meta.url), 'utf8');
  const handlebars = Handlebars.create();
  handlebars.registerHelper('is', (one: unknown, other: unknown) => one === other);
  handlebars.registerPartial('plans', await read('plans'));
  const compiled = await Promise.all(
    VIEWS.map(async (name) => [name, handlebars.compile(await read(name))] as const),
  );
  // The names are those of the list.
  return Object.fromEntries(compiled) as Record<(typeof VIEWS)[number], HandlebarsTemplateDelegate>;
}
