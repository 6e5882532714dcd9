import { Fault } from '../../errors.ts';
import type { QueueCaller } from '../../platform/fair-queue.ts';
import type { TemplateContext } from '../context.ts';
import type { RenderInput } from '../rendering/rendering.ts';
import { sampleData, textsIn } from '../rendering/sample-data.ts';
import type { ResolvedTemplate } from '../resolve/resolve.ts';
import type { Data } from '../schema.ts';
import type { LintOptions, LintReport } from './lint.ts';
import type { Finding } from './rules.ts';

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
     * What is certainly broken in a template, filled with `data` or else with sample data. Without findings when it
     * exceeds a render limit with them, which running its fixtures reports.
     */
    async errorsOf(
      asker: QueueCaller,
      resolved: ResolvedTemplate,
      data: Data | undefined,
    ): Promise<Finding[]> {
      const given = data ?? sampleData(resolved.variables);
      const samples = data ? [] : textsIn(given);
      try {
        const mail = rendering.fill(resolved, given, { onMissing: 'fallback' });
        const { findings } = await examiner.lint(mail, { samples }, asker);
        return findings.filter(({ severity }) => severity === 'error');
      } catch (error) {
        if (error instanceof Fault && error.code === 'render_limit') return [];
        throw error;
      }
    },

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
