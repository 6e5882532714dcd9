import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { drawSheet, HEIGHT, type Sheet, WIDTH } from './draw.ts';
import { openLetters } from './letters.ts';

const ROOT = new URL('../../../', import.meta.url);
const LANGUAGES = ['en', 'es'] as const;
type Language = (typeof LANGUAGES)[number];

type Texts = {
  readonly hero: string;
  readonly pricingTitle: string;
  readonly pricingLead: string;
  readonly blog: string;
  readonly blogDescription: string;
  readonly day: readonly { readonly at: string; readonly what: string; readonly who: string }[];
};
type Post = {
  readonly slug: string;
  readonly title: string;
  readonly date: string;
  readonly excerpt: string;
};

/**
 * Draws what networks show beside a link to a page for visitors, once for every page and language, as
 * `web/social-<language>-<page>-<digest>.png`. `social.json` has their paths and titles, as
 * `<language>/<page>` and `<language>/blog/<slug>`.
 */
export async function drawSocialPictures(folder: string): Promise<void> {
  const letters = await openLetters();
  const files: Record<string, { path: string; title: string }> = {};
  try {
    await mkdir(join(folder, 'web'), { recursive: true });
    for (const language of LANGUAGES) {
      for (const [page, sheet] of Object.entries(await sheetsIn(language))) {
        const bytes = await drawSheet(letters, sheet);
        const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 8);
        const file = `web/social-${language}-${page.replaceAll('/', '-')}-${digest}.png`;
        await writeFile(join(folder, file), bytes);
        files[`${language}/${page}`] = { path: `/${file}`, title: sheet.title };
      }
    }
  } finally {
    await letters.close();
  }
  await writeFile(
    join(folder, 'social.json'),
    JSON.stringify({ width: WIDTH, height: HEIGHT, files }, null, 1),
  );
}

async function sheetsIn(language: Language): Promise<Record<string, Sheet>> {
  const t: Texts = JSON.parse(await readFile(new URL(`locales/public/${language}.json`, ROOT), 'utf8'));
  const posts = await readPosts(language);
  const dayOf = (date: string, year: boolean) =>
    new Intl.DateTimeFormat(language, {
      day: 'numeric',
      month: 'short',
      timeZone: 'UTC',
      ...(year && { year: 'numeric' }),
    }).format(new Date(date));
  return {
    landing: {
      title: t.hero,
      lead: '',
      margin: [],
      rows: t.day.slice(3, 6).map(({ at, what, who }) => ({ margin: at, text: what, end: who })),
    },
    pricing: {
      title: t.pricingTitle,
      lead: t.pricingLead,
      margin: [],
      tickets: ['Free', 'Pro', 'Enterprise'],
    },
    blog: {
      title: t.blog,
      lead: t.blogDescription,
      margin: [],
      rows: posts.slice(0, 3).map(({ title, date }) => ({ margin: dayOf(date, false), text: title })),
    },
    ...Object.fromEntries(
      posts.map(({ slug, title, date, excerpt }) => [
        `blog/${slug}`,
        { title, lead: excerpt, margin: [dayOf(date, false), date.slice(0, 4)] },
      ]),
    ),
  };
}

/** Newest first. */
async function readPosts(language: Language): Promise<Post[]> {
  const folder = new URL(`content/blog/${language}/`, ROOT);
  const files = (await readdir(folder)).filter((file) => file.endsWith('.md'));
  const posts = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(new URL(file, folder), 'utf8');
      const field = (name: string) => new RegExp(`^${name}:(.*)$`, 'm').exec(text)?.[1]?.trim() ?? '';
      return {
        slug: file.replace(/\.md$/, ''),
        title: field('title'),
        date: field('date'),
        excerpt: field('excerpt'),
      };
    }),
  );
  return posts.sort((one, other) => other.date.localeCompare(one.date) || one.slug.localeCompare(other.slug));
}
