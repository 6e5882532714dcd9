import { describe, expect, test } from 'vitest';
import { readSocialPictures } from '../../http/web/social-pictures.ts';

const drawn = JSON.stringify({
  width: 1200,
  height: 630,
  files: {
    'en/blog': { path: '/web/blog.png', title: 'Blog' },
    'en/blog/two-way-stock-sync': { path: '/web/post.png', title: 'Two ways' },
  },
});
const size = { type: 'image/png', width: 1200, height: 630 };

describe('the picture of a post', () => {
  const { ofPost } = readSocialPictures(drawn);

  test('is the one drawn for it, also where its author gave one', () => {
    const post = { slug: 'two-way-stock-sync', title: 'Two ways', image: 'https://example.com/stock.jpg' };
    expect(ofPost('en', post)).toEqual({ at: '/web/post.png', ...size });
  });

  test("is its author's where the post came from another server after the build", () => {
    const post = { slug: 'new', title: 'New', image: 'https://example.com/new.jpg' };
    expect(ofPost('en', post)).toEqual({ at: 'https://example.com/new.jpg' });
  });

  test('is not one with another title on it', () => {
    expect(ofPost('en', { slug: 'two-way-stock-sync', title: 'One way' })?.at).toBe('/web/blog.png');
  });

  test("is the blog's where there is no other", () => {
    expect(ofPost('en', { slug: 'new', title: 'New' })).toEqual({ at: '/web/blog.png', ...size });
  });
});

test('a client that was built without pictures names none', () => {
  const { of, ofPost } = readSocialPictures(undefined);
  expect([of('en', 'landing'), ofPost('en', { slug: 'new', title: 'New' })]).toEqual([undefined, undefined]);
});
