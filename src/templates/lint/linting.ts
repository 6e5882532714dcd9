import type { QueueCaller } from '../../platform/fair-queue.ts';
import type { TemplateContext } from '../context.ts';
import type { RenderInput } from '../rendering/rendering.ts';
import { sampleData, textsIn } from '../rendering/sample-data.ts';
import type { ResolvedTemplate } from '../resolve/resolve.ts';
import type { LintOptions, LintReport } from './lint.ts';

/** Lints what a template renders to. */
export function createLinting({ rendering, examiner }: Pick<TemplateContext, 'rendering' | 'examiner'>) {
  /** Lints a template filled with sample data, whose own addresses are not checked. @throws Fault as `lintTemplate` */
  async function lintSample(
    asker: QueueCaller,
    resolved: ResolvedTemplate,
    options: LintOptions = {},
  ): Promise<LintReport> {
    const data = sampleData(resolved.variables);
    const mail = rendering.fill(resolved, data, { onMissing: 'fallback' });
    return examiner.lint(mail, { ...options, samples: textsIn(data) }, asker);
  }

  return {
    lintSample,

    /**
     * Renders as `render` does, and with sample data when the input has neither data nor a fixture.
     * @throws Fault validation_failed for a rule or client that does not exist, and what rendering throws
     */
    async lintTemplate(accountId: string, input: RenderInput, options: LintOptions) {
      const { rendered, samples } = await rendering.show(accountId, input);
      const asker = { accountId, signal: input.signal };
      const report = await examiner.lint(rendered, { ...options, samples }, asker);
      return { report, rendered };
    },
  };
}
