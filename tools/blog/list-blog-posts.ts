import { z } from 'zod';
import { PostSummary } from '../../src/blog/post.ts';
import { defineTool } from '../contract/define.ts';
import { page, paging } from '../contract/page.ts';

export const listBlogPosts = defineTool({
  name: 'list_blog_posts',
  title: 'List blog posts',
  description:
    'List the posts of the blog, newest first, in the language of the caller. Works without an account. For the text of one, use get_blog_post.',
  toolset: 'blog',
  effect: 'read',
  scope: 'any',
  anonymous: true,
  rest: { route: 'GET /api/v1/blog' },
  // The operator may take posts from elsewhere: no text for a model to follow.
  mcp: false,
  input: z.object(paging),
  output: page(PostSummary),
  run: (request, { app, locale }) => app.blog.list(locale, request),
  examples: [{ title: 'The newest post', input: { limit: 1 } }],
});
