import { Fault, type FaultDetail } from '../errors.ts';
import { check } from './check.ts';
import type { TemplateContext } from './context.ts';
import { changeDocument, type DocumentChange } from './document.ts';
import { presentVariables } from './present.ts';
import { sampleData } from './sample-data.ts';
import type { TemplateKind } from './schema.ts';

/** Says what is wrong with a content, or what it needs, without storing it. */
export function createValidation(context: TemplateContext) {
  return {
    async validate(accountId: string, kind: TemplateKind, content: DocumentChange) {
      try {
        const { variables } = await check(context, accountId, kind, changeDocument(undefined, content));
        const suggested = {
          variables: presentVariables([...variables]),
          suggested_data: sampleData(variables),
        };
        return { valid: true, errors: [], ...suggested };
      } catch (error) {
        if (!(error instanceof Fault) || error.status !== 422) throw error;
        return { valid: false, errors: details(error), variables: [], suggested_data: {} };
      }
    },
  };
}

function details({ key, params, errors }: Fault): readonly FaultDetail[] {
  return errors.length > 0 ? errors : [{ loc: ['body', 'html'], key, params }];
}
