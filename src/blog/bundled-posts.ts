import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onceAsync } from '../platform/once-async.ts';
import { Post, type PostSource } from './post.ts';
import { sanitizePost } from './sanitize-post.ts';

/** The posts of a folder: `<slug>.md`, each with title, date and excerpt between two lines of `---`, then Markdown. */
export function createBundledPosts(folder: string): PostSource {
  const read = onceAsync(async () => {
    const files = (await readdir(folder)).filter((file) => file.endsWith('.md'));
    const posts = await Promise.all(
      files.map(async (file) => readPost(file, await readFile(join(folder, file), 'utf8'))),
    );
    return posts.sort(
      (one, other) => other.date.localeCompare(one.date) || one.slug.localeCompare(other.slug),
    );
  });
  return {
    async list() {
      return (await read()).map(({ html: _html, ...summary }) => summary);
    },
    async find(slug) {
      return (await read()).find((post) => post.slug === slug);
    },
  };
}

/** @throws Error naming the file, for one that is no post */
async function readPost(file: string, text: string): Promise<Post> {
  const [, head = '', body = ''] =
    /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text.replaceAll('\r\n', '\n')) ?? [];
  const fields = head.split('\n').map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
  });
  const { marked } = await import('marked');
  const html = await sanitizePost(await marked.parse(body));
  const post = Post.safeParse({ ...Object.fromEntries(fields), slug: file.replace(/\.md$/, ''), html });
  if (post.error) throw new Error(`content/blog: ${file} is not a post`, { cause: post.error });
  return post.data;
}
