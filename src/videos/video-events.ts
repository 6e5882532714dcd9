import { z } from 'zod';
import type { Tx } from '../platform/database/database.ts';
import { emitEvent, sendEvent } from '../platform/outbox.ts';
import { StoredFault } from '../platform/stored-fault.ts';
import { StoredWarnings } from './stored-warning.ts';
import { BrandTaken, toVideo, type Video, VideoEngine, VideoFormat, VideoStatus } from './video.ts';
import type { VideoRow } from './video-repo.ts';

const moment = z.coerce.date();

/** The data of an event: a Video stored as JSON. */
export const StoredVideo = z.object({
  id: z.string(),
  title: z.string(),
  duration: z.number(),
  template: z.string(),
  templateVersion: z.number().nullable(),
  // Absent in events of earlier versions.
  brand: BrandTaken.nullable().default(null),
  status: VideoStatus,
  format: VideoFormat,
  quality: z.enum(['draft', 'standard', 'high']),
  width: z.number(),
  height: z.number(),
  fps: z.number(),
  frames: z.object({ done: z.number(), total: z.number() }),
  etaSeconds: z.number().nullable(),
  error: StoredFault.nullable(),
  warnings: StoredWarnings,
  attempt: z.number(),
  revision: z.number(),
  engine: VideoEngine.nullable(),
  sizeBytes: z.number().nullable(),
  hasPoster: z.boolean(),
  hasCaptions: z.boolean(),
  createdAt: moment,
  startedAt: moment.nullable(),
  endedAt: moment.nullable(),
}) satisfies z.ZodType<Video>;

/**
 * Sends the event of an ended video, in the transaction that ends it, to the account's webhooks and that of the
 * video.
 */
export async function announceEnd(tx: Tx, row: VideoRow): Promise<void> {
  const event = { type: `video.${row.status}`, data: toVideo(row) };
  await emitEvent(tx, row.account_id, event);
  if (row.webhook) await sendEvent(tx, row.account_id, { ...event, receiver: row.webhook });
}
