import { z } from 'zod';

export const VideoId = z.string().max(100);

/** The name of a template there is: one nobody has is not found, whatever it looks like. */
export const KnownTemplate = z.string().min(1).max(100);
