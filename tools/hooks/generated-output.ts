import type { GeneratedHooks } from '../../src/hooks/writing/writing.ts';
import { localizeWarning, type Reader } from '../../src/language.ts';
import { listHooks } from './hook-request.ts';

/** A generation as callers see it. */
export function presentGenerated(generated: GeneratedHooks, reader: Reader) {
  const { id, topic, hooks, provider, model, usage, requested, limited, notices } = generated;
  const notice = notices.map((one) => localizeWarning(one, reader).message).join(' ');
  return {
    topic,
    ...listHooks(hooks),
    provider,
    model,
    usage,
    requested,
    quota_limited: limited,
    generation_id: id,
    ...(notice && { notice }),
  };
}
