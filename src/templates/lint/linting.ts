import type { QueueCaller } from '../../platform/fair-queue.ts';
import type { TemplateContext } from '../context.ts';
import type { Plan } from '../plans.ts';
import type { RenderInput } from '../rendering.ts';
import { sampleData } from '../sample-data.ts';
import type { Data } from '../schema.ts';
import type { LintOptions, LintReport } from './lint.ts';

/** Lints what a template renders to. */
export function createLinting({ rendering, examiner }: Pick<TemplateContext, 'rendering' | 'examiner'>) {
  /** Lints a plan filled with sample data; addresses made of that are not judged. @throws Fault as `lintTemplate` */
  async function lintSample(asker: QueueCaller, plan: Plan, options: LintOptions = {}): Promise<LintReport> {
    const data = sampleData(plan.variables);
    const mail = rendering.fill(plan, data, { onMissing: 'fallback' });
    return examiner.lint(mail, { ...options, samples: textsIn(data) }, asker);
  }

  return {
    lintSample,

    /**
     * Renders as `render` does, and with sample data when the input has neither data nor a fixture.
     * @throws Fault validation_failed for a rule or client that does not exist, and what rendering throws
     */
    async lintTemplate(accountId: string, input: RenderInput, options: LintOptions): Promise<LintReport> {
      const asker = { accountId, signal: input.signal };
      if (input.data ?? input.fixture)
        return examiner.lint(await rendering.render(accountId, input), options, asker);
      return lintSample(asker, await rendering.plan(accountId, input), options);
    },
  };
}

function textsIn(value: Data[string] | Data): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
