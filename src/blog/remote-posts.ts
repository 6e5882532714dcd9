import { z } from 'zod';
import { Fault } from '../errors.ts';
import { AssetBlocked } from '../platform/guarded-fetch/asset-blocked.ts';
import type { FetchJson } from '../platform/guarded-fetch/guarded-fetch.ts';
import { Post, type PostSource, PostSummary } from './post.ts';
import { sanitizePost } from './sanitize-post.ts';

type RemotePostsDeps = {
  readonly url: string;
  readonly fetchJson: FetchJson;
  readonly now?: () => number;
};

const MAX_POSTS = 500;
const FRESH_MS = 5 * 60_000;
/** How old a copy may be while the other server does not answer. */
const STALE_MS = 24 * 60 * 60_000;

const List = z.object({ items: z.array(PostSummary).max(MAX_POSTS) });

type Copy<Value> = { readonly value: Value; readonly at: number };

/**
 * The posts of another server, in the form of our own: a list at `url`, a post at `url/<slug>`. A copy is fresh for five
 * minutes, and is used for a day when the server does not answer.
 * The promises are rejected with Fault upstream_failed.blog where there is no copy.
 */
export function createRemotePosts({ url, fetchJson, now = Date.now }: RemotePostsDeps): PostSource {
  const copies = new Map<string, Copy<unknown>>();
  const fetching = new Map<string, Promise<unknown>>();
  const base = url.replace(/\/+$/, '');

  async function list(): Promise<readonly PostSummary[]> {
    return copyOf(base, async (document) => {
      const { items } = List.parse(document);
      return items.toSorted((one, other) => other.date.localeCompare(one.date));
    });
  }

  return {
    list,
    async find(slug) {
      // Only slugs of the list are asked for, so that strangers cannot make this server ask for others.
      const posts = await list();
      if (!posts.some((post) => post.slug === slug)) return undefined;
      return copyOf(`${base}/${slug}`, async (document) => {
        const post = Post.parse(document);
        return { ...post, slug, html: await sanitizePost(post.html) };
      });
    },
  };

  async function copyOf<Value>(address: string, read: (document: unknown) => Promise<Value>): Promise<Value> {
    // Each address is always read by the same function.
    const copy = copies.get(address) as Copy<Value> | undefined;
    if (copy && now() - copy.at < FRESH_MS) return copy.value;
    try {
      return await once(address, read);
    } catch (error) {
      if (copy && now() - copy.at < STALE_MS) return copy.value;
      if (error instanceof AssetBlocked || error instanceof z.ZodError)
        throw new Fault('upstream_failed.blog', {}, { cause: error });
      throw error;
    }
  }

  /** Concurrent callers wait for one request. */
  function once<Value>(address: string, read: (document: unknown) => Promise<Value>): Promise<Value> {
    const running = fetching.get(address) ?? fetchOnce(address, read);
    fetching.set(address, running);
    return running as Promise<Value>;
  }

  async function fetchOnce<Value>(
    address: string,
    read: (document: unknown) => Promise<Value>,
  ): Promise<Value> {
    try {
      const value = await read(await fetchJson(address, new AbortController().signal));
      if (copies.size > MAX_POSTS) copies.clear();
      copies.set(address, { value, at: now() });
      return value;
    } finally {
      fetching.delete(address);
    }
  }
}
