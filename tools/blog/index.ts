import type { Tool } from '../contract/define.ts';
import { getBlogPost } from './get-blog-post.ts';
import { listBlogPosts } from './list-blog-posts.ts';

/** The blog, which anyone may read. */
export const blogTools: readonly Tool[] = [listBlogPosts, getBlogPost];
