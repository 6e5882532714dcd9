import { z } from 'zod';
import type { InputKey } from '../../language.ts';
import { Aspect, LIMITS } from '../request.ts';

export const VideoTemplateName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,99}$/, 'video_template_name' satisfies InputKey)
  .meta({ description: 'Video template name: lowercase letters, digits, dash, underscore' });

/** The description of a template beside its HTML. */
export const Manifest = z.object({
  title: z.string().max(100),
  description: z.string().max(500).default(''),
  /** JSON Schema of the data, an object. The video itself provides `title`. */
  schema: z.record(z.string(), z.json()).default({ type: 'object', properties: {} }),
  /** Values for what a request omits. */
  defaults: z.record(z.string(), z.json()).default({}),
  /** Data for the template's preview. */
  sample: z.record(z.string(), z.json()).default({}),
  aspects: z.array(Aspect).min(1).default(['9:16', '1:1', '16:9']),
  /** Default duration in seconds. */
  duration: z.number().min(LIMITS.seconds.min).max(LIMITS.seconds.max).default(10),
  /** Runs its own scripts; every frame is painted. */
  scripts: z.boolean().default(false),
});
export type Manifest = z.output<typeof Manifest>;

/** A template, built-in or saved by the account. */
export type VideoTemplate = {
  readonly name: string;
  readonly builtIn: boolean;
  /** Number of saves; null for a built-in template. */
  readonly version: number | null;
  readonly html: string;
  readonly manifest: Manifest;
  /** Tag of its content, for `If-Match`. */
  readonly tag: string;
};
