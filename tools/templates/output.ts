import { z } from 'zod';
import { Fault, type FaultDetail } from '../../src/errors.ts';
import { localizeDetail, localizeWarning, type Reader, type Warning } from '../../src/language.ts';
import type { Author } from '../../src/templates/context.ts';
import { EnvironmentName } from '../../src/templates/schema.ts';
import type { Call } from '../contract/define.ts';

/** The caller as the author of a change. */
export function author({ caller }: Call): Author {
  const { accountId, actor, userId, keyHolder } = caller;
  return { accountId, actor, approver: userId ?? keyHolder ?? actor };
}

/** Environments that a new template is in immediately. */
export const newEnvironments = z.array(EnvironmentName).max(2).optional().meta({
  description: 'Environments that use it immediately; default both, for models none',
});

/** What a model makes is live only once it is promoted, unless its call says otherwise. */
function usualEnvironments({ byModel }: Pick<Call, 'byModel'>): readonly EnvironmentName[] {
  return byModel ? [] : EnvironmentName.options;
}

/**
 * Where a new template is live: as asked, or as usual. An app that may not touch production makes none live.
 * @throws Fault insufficient_scope.key
 */
export function environmentsOf(
  asked: readonly EnvironmentName[] | undefined,
  call: Pick<Call, 'byModel' | 'caller'>,
  tool: string,
): readonly EnvironmentName[] {
  const { via, scopes } = call.caller;
  if (via !== 'oauth' || scopes.includes('templates:promote')) return asked ?? usualEnvironments(call);
  if (asked && asked.length > 0)
    throw new Fault('insufficient_scope.key', { scope: 'templates:promote', tool });
  return [];
}

/** The same answer with its warnings in the caller's language. */
export function localizeWarnings<Answer extends { readonly warnings: readonly Warning[] }>(
  answer: Answer,
  reader: Reader,
) {
  return { ...answer, warnings: answer.warnings.map((warning) => localizeWarning(warning, reader)) };
}

/** The same answer with its errors in the caller's language; the field is the last name of their place. */
export function localizeDetails<Answer extends { readonly errors: readonly FaultDetail[] }>(
  answer: Answer,
  reader: Reader,
) {
  const errors = answer.errors.map((detail) => {
    const { loc, msg, type, ...place } = localizeDetail(detail, reader);
    return { field: String(loc.at(-1) ?? 'html'), code: type, message: msg, ...place };
  });
  return { ...answer, errors };
}
