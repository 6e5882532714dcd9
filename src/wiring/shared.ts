import { join } from 'node:path';
import { createPrompts } from '../ai/prompts.ts';
import { createAudit } from '../audit/audit.ts';
import type { Config } from '../config.ts';
import { createConfirmations } from '../confirmations/confirmations.ts';
import { createFiles } from '../files/files.ts';
import { createIdempotency } from '../idempotency/idempotency.ts';
import { exportPages } from '../identity/accounts/account-export.ts';
import { createJobs } from '../jobs/jobs.ts';
import { blobsPlace, openBlobs } from '../platform/blobs/open-blobs.ts';
import type { Log } from '../platform/log.ts';
import { createLoggedEmail, type Mail } from '../platform/mail.ts';
import { createMetrics } from '../platform/metrics/metrics.ts';
import { createNodes } from '../platform/nodes/nodes.ts';
import { createNotices } from '../platform/notices.ts';
import { createQueue } from '../platform/queue/queue.ts';
import { createServerSecret } from '../platform/server-secret.ts';
import { createSmtpMail } from '../providers/smtp.ts';
import { createRateLimits } from '../rate-limits/rate-limits.ts';
import { type Base, defineService } from './service.ts';

/** Channels that tell of what people and programs follow, and that nothing secret is announced on. */
const FOLLOWED_CHANNELS = ['jobs', 'videos', 'sync_runs', 'templates'];

const PROMPTS_FOLDER = join(import.meta.dirname, '../../prompts');

export function createBase(opened: Pick<Base, 'database' | 'config' | 'log' | 'tracing' | 'now'>): Base {
  const { database, config, log, tracing, now } = opened;
  const { sql } = database;
  const blobs = openBlobs(config);
  const prompts = createPrompts(PROMPTS_FOLDER);
  const queue = createQueue({ database, log });
  return {
    database,
    sql,
    queue,
    config,
    log,
    audit: createAudit(sql),
    mail: openMail(config, log),
    blobs,
    prompts,
    metrics: createMetrics(),
    tracing,
    now,
  };
}

/** Sends emails over SMTP; on a loopback server without SMTP, writes them to the log. Undefined elsewhere. */
function openMail({ smtpUrl, mailFrom, loopback }: Config, log: Log): Mail | undefined {
  if (smtpUrl && mailFrom) return createSmtpMail({ url: smtpUrl, from: mailFrom });
  return loopback ? createLoggedEmail(log) : undefined;
}

/** What all services share: audit log, files, idempotency keys, rate limits and background jobs. */
export function wireShared(base: Base) {
  const { database, sql, queue, config, log, audit, blobs, metrics, tracing, now } = base;
  const files = createFiles({ sql, blobs, now });
  const idempotency = createIdempotency(sql);
  const confirmations = createConfirmations(sql);
  const rateLimits = createRateLimits({ sql, rates: config.rateLimits });
  const jobs = createJobs({ sql, queue, log, metrics, tracing });
  const notices = createNotices(FOLLOWED_CHANNELS);
  const nodes = createNodes({ database, blobs, place: blobsPlace(config), log });
  const nodeSecret = createServerSecret({ sql, encryptionKey: config.encryptionKey });
  return defineService({
    api: { audit, confirmations, files, idempotency, rateLimits, jobs, nodes, nodeSecret, notices },
    listeners: [
      { channel: 'jobs', onNotify: jobs.onNotify, onReconnect: jobs.onReconnect },
      ...notices.listeners,
    ],
    jobs: {
      hourly: {
        rateLimits: rateLimits.sweep,
        idempotency: idempotency.sweep,
        confirmations: confirmations.sweep,
        jobs: jobs.sweep,
        files: files.sweep,
      },
    },
    exporters: [exportPages('audit', audit.list)],
    retained: [{ kind: 'audit_events', rows: audit }],
    async close(): Promise<void> {
      await Promise.all([jobs.close(), nodes.leave()]);
    },
  });
}
