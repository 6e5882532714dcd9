import { Fault, type FaultDetail } from '../errors.ts';
import type { QueueCaller } from '../platform/fair-queue.ts';
import type { TemplateContext } from './context.ts';
import { createLinting } from './lint/linting.ts';
import { presentVariables } from './present.ts';
import { sampleData } from './rendering/sample-data.ts';
import type { TemplateKind } from './schema.ts';
import { check } from './versions/check.ts';
import { changeDocument, type DocumentChange } from './versions/document.ts';

/** Checks a content without storing it: its errors, or its variables and lint findings. */
export function createValidation(context: TemplateContext) {
  const linting = createLinting(context);

  return {
    async validate(
      asker: QueueCaller & { readonly accountId: string },
      kind: TemplateKind,
      content: DocumentChange,
    ) {
      const { accountId } = asker;
      try {
        const { variables, resolved } = await check(
          context,
          accountId,
          kind,
          changeDocument(undefined, content),
        );
        const suggested = {
          variables: presentVariables([...variables]),
          suggested_data: sampleData(variables),
        };
        // A layout or partial is no whole email.
        const lint = kind === 'template' ? await linting.lintFilled(asker, resolved) : undefined;
        return { valid: true, errors: [], ...suggested, lint };
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
