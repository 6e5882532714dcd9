import { join } from 'node:path';
import { createBlog } from '../blog/blog.ts';
import { createBundledPosts } from '../blog/bundled-posts.ts';
import { createRemotePosts } from '../blog/remote-posts.ts';
import { createGuardedFetch } from '../platform/guarded-fetch/guarded-fetch.ts';
import { type Base, defineService } from './service.ts';

const POSTS_FOLDER = join(import.meta.dirname, '../../content/blog');
const FETCH = { maxBytes: 2 * 1024 * 1024, maxMs: 5_000, purpose: 'blog' };

/** The posts of BLOG_URL, or the bundled ones. */
export function wireBlog({ config: { blogUrl: url } }: Base) {
  const remote = url && createRemotePosts({ url, fetchJson: createGuardedFetch(FETCH).fetchJson });
  const of = (locale: string) => remote || createBundledPosts(join(POSTS_FOLDER, locale));
  return defineService({ api: { blog: createBlog({ en: of('en'), es: of('es') }) } });
}
