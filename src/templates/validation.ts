import { Fault, type FaultDetail } from '../errors.ts';
import type { QueueCaller } from '../platform/fair-queue.ts';
import { check } from './check.ts';
import type { TemplateContext } from './context.ts';
import { changeDocument, type DocumentChange } from './document.ts';
import type { LintReport } from './lint/lint.ts';
import { createLinting } from './lint/linting.ts';
import type { Plan } from './plans.ts';
import { presentVariables } from './present.ts';
import { sampleData } from './sample-data.ts';
import type { TemplateKind } from './schema.ts';

/** Says what is wrong with a content, or what it needs, without storing it. */
export function createValidation(context: TemplateContext) {
  const linting = createLinting(context);

  /** A layout or a partial is no whole mail, and sample data may lead over a limit: then there is nothing to lint. */
  async function lintOf(asker: QueueCaller, kind: TemplateKind, plan: Plan): Promise<LintReport | undefined> {
    if (kind !== 'template') return undefined;
    return linting.lintSample(asker, plan).catch((error: unknown) => {
      if (error instanceof Fault) return undefined;
      throw error;
    });
  }

  return {
    async validate(
      asker: QueueCaller & { readonly accountId: string },
      kind: TemplateKind,
      content: DocumentChange,
    ) {
      const { accountId } = asker;
      try {
        const { variables, plan } = await check(context, accountId, kind, changeDocument(undefined, content));
        const suggested = {
          variables: presentVariables([...variables]),
          suggested_data: sampleData(variables),
        };
        return { valid: true, errors: [], ...suggested, lint: await lintOf(asker, kind, plan) };
      } catch (error) {
        if (!(error instanceof Fault) || error.status !== 422) throw error;
        return { valid: false, errors: details(error), variables: [], suggested_data: {}, lint: undefined };
      }
    },
  };
}

function details({ key, params, errors }: Fault): readonly FaultDetail[] {
  return errors.length > 0 ? errors : [{ loc: ['body', 'html'], key, params }];
}
