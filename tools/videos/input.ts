import { z } from 'zod';

export const VideoId = z.string().max(100);

/** The name of an existing template. Any other text is not found, even one that could not be a name. */
export const KnownTemplate = z.string().min(1).max(100);
