import { z } from 'zod';
import { Aspect, LIMITS } from '../request.ts';

export const VideoTemplateName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,99}$/)
  .meta({ description: 'Name of a video template: lower-case letters, digits, dash, underscore' });

/** What is told of a template beside its html. */
export const Manifest = z.object({
  title: z.string().max(100),
  description: z.string().max(500).default(''),
  /** JSON Schema of the data: an object and its fields. `title` is given by the video itself. */
  schema: z.record(z.string(), z.json()).default({ type: 'object', properties: {} }),
  /** Data that stands in for what a request leaves out. */
  defaults: z.record(z.string(), z.json()).default({}),
  /** Data that shows what the template can do, used by its preview. */
  sample: z.record(z.string(), z.json()).default({}),
  aspects: z.array(Aspect).min(1).default(['9:16', '1:1', '16:9']),
  /** Seconds that suit it. */
  duration: z.number().min(LIMITS.seconds.min).max(LIMITS.seconds.max).default(10),
  /** Its own scripts run, and every frame is painted. */
  scripts: z.boolean().default(false),
});
export type Manifest = z.output<typeof Manifest>;

/** A template by its name: one of ours, or one the account has saved, which may take the name of one of ours. */
export type VideoTemplate = {
  readonly name: string;
  readonly builtIn: boolean;
  readonly html: string;
  readonly manifest: Manifest;
  /** A tag of its content, for `If-Match`. */
  readonly tag: string;
};
