import { z } from 'zod';

const slug = z
  .string()
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
  .max(100);
const text = (max: number) => z.string().trim().min(1).max(max);

/** A post in the list. */
export const PostSummary = z.object({
  slug,
  title: text(200),
  excerpt: text(1_000),
  date: z.iso.date(),
  image: z
    .url({ protocol: /^https$/ })
    .max(2_000)
    .optional(),
});
export type PostSummary = z.output<typeof PostSummary>;

export const Post = PostSummary.extend({ html: z.string().meta({ description: 'Sanitized HTML' }) });
export type Post = z.output<typeof Post>;

/** Where posts come from, newest first. */
export type PostSource = {
  list(): Promise<readonly PostSummary[]>;
  /** Undefined for an unknown slug. */
  find(slug: string): Promise<Post | undefined>;
};
