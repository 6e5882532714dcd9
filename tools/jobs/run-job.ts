import type { App } from '../../src/app.ts';
import { Fault } from '../../src/errors.ts';
import type { RunJob } from '../../src/jobs/job-handler.ts';
import type { Log } from '../../src/platform/log.ts';
import { deliverByLink } from '../contract/delivered.ts';
import { invoke } from '../contract/invoke.ts';
import type { Registry } from '../contract/registry.ts';
import { restVoice } from '../contract/rest-voice.ts';
import { createJobAsking } from './job-asking.ts';

type RunJobParts = { readonly app: App; readonly registry: Registry; readonly log: Log };

/**
 * Runs a job as the call it stands for: the same checks, the same caller with the rights it still has, the same
 * language.
 */
export function createRunJob({ app, registry, log }: RunJobParts): RunJob {
  const voice = restVoice(registry.tools);
  return async (job, { signal, progress }) => {
    const tool = registry.find(job.tool);
    // A plug-in that is gone since, or is not on this node.
    if (!tool) throw new Fault('not_found.tool', { name: job.tool });
    const { byModel, asks: _asks, ...asked } = job.caller;
    const caller = await app.credentials.renew({ ...asked, accountId: job.account_id });
    const asking = createJobAsking(job);
    const call = invoke(tool, job.input, {
      app,
      caller,
      signal,
      progress,
      log,
      requestId: job.id,
      jobId: job.id,
      locale: job.locale,
      voice,
      baseUrl: job.base_url,
      text: () => {},
      deliver: deliverByLink(app, caller, job.base_url),
      sourceOf: () => (byModel ? 'arguments' : 'body'),
      ...(byModel && { byModel, ask: asking.ask }),
    });
    const { output } = await call.catch((error: unknown) => {
      throw asking.waits() ?? error;
    });
    return output;
  };
}
