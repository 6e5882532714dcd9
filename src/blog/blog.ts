import { Fault } from '../errors.ts';
import type { Locale } from '../language.ts';
import { byNumber, type Page, type PageRequest, pageOf } from '../platform/paging.ts';
import type { Post, PostSource, PostSummary } from './post.ts';

/**
 * The posts that anyone may read, in the reader's language where there are such.
 *
 * In: posts of a source for each language. Out: pages of summaries, and posts. Invariant: a new post does not move the
 * pages that a reader is on.
 */
export function createBlog(sources: Readonly<Record<Locale, PostSource>>) {
  return {
    /** Newest first. @throws Fault validation_failed.cursor, upstream_failed.blog */
    async list(locale: Locale, request: PageRequest): Promise<Page<PostSummary>> {
      const { before, limit } = byNumber(request);
      const posts = await sources[locale].list();
      // Numbered from the oldest one: a new post does not move the pages.
      const numbered = posts.map((post, index) => ({ post, number: posts.length - index }));
      const rows = numbered.filter(({ number }) => number < before).slice(0, limit + 1);
      return pageOf(
        rows,
        limit,
        ({ number }) => number,
        ({ post }) => post,
      );
    },

    /** @throws Fault not_found.post, upstream_failed.blog */
    async get(locale: Locale, slug: string): Promise<Post> {
      const post = await sources[locale].find(slug);
      if (!post) throw new Fault('not_found.post', { slug });
      return post;
    },
  };
}
