import { z } from 'zod';
import { Post } from '../../src/blog/post.ts';
import { defineTool } from '../contract/define.ts';

export const getBlogPost = defineTool({
  name: 'get_blog_post',
  title: 'Get a blog post',
  description: 'Get a post of the blog with its text as sanitized HTML. Works without an account.',
  toolset: 'blog',
  effect: 'read',
  scope: 'any',
  anonymous: true,
  rest: { route: 'GET /api/v1/blog/{slug}' },
  mcp: false,
  input: z.object({ slug: z.string().max(100) }),
  output: Post,
  run: ({ slug }, { app, locale }) => app.blog.get(locale, slug),
  examples: [{ title: 'A post', input: { slug: 'two-way-stock-sync' } }],
});
