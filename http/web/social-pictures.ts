import type { PostSummary } from '../../src/blog/post.ts';
import type { Locale } from '../../src/language.ts';

/** What networks and chats show beside a link to a page. */
export type SocialPicture = {
  /** A path of ours or an address. */
  readonly at: string;
  readonly type?: string;
  readonly width?: number;
  readonly height?: number;
};

export type SocialPictures = {
  of(locale: Locale, page: 'landing' | 'pricing' | 'blog'): SocialPicture | undefined;
  /** The post's own, else the one that its author gave it, else that of the blog. */
  ofPost(locale: Locale, post: Pick<PostSummary, 'slug' | 'title' | 'image'>): SocialPicture | undefined;
};

type Drawn = {
  readonly width: number;
  readonly height: number;
  readonly files: Readonly<Record<string, { readonly path: string; readonly title: string }>>;
};

/** Those that the build of the client drew, by `social.json`. Nothing is drawn for a request. */
export function readSocialPictures(json: string | undefined): SocialPictures {
  const { width, height, files }: Drawn = json ? JSON.parse(json) : { width: 0, height: 0, files: {} };
  const drawn = (key: string, title?: string): SocialPicture | undefined => {
    const file = files[key];
    if (!file || (title !== undefined && title !== file.title)) return undefined;
    return { at: file.path, type: 'image/png', width, height };
  };
  return {
    of: (locale, page) => drawn(`${locale}/${page}`),
    ofPost: (locale, { slug, title, image }) =>
      // A post of another server may have the address of one that was here at the build.
      drawn(`${locale}/blog/${slug}`, title) ?? (image ? { at: image } : drawn(`${locale}/blog`)),
  };
}
