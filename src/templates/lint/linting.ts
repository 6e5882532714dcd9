import { Fault } from '../../errors.ts';
import type { QueueCaller } from '../../platform/fair-queue.ts';
import type { TemplateContext } from '../context.ts';
import type { RenderInput } from '../rendering/rendering.ts';
import { sampleData, textsIn } from '../rendering/sample-data.ts';
import type { ResolvedTemplate } from '../resolve/resolve.ts';
import type { Data } from '../schema.ts';
import type { LintOptions, LintReport } from './lint.ts';

/** Lints what a template renders to. */
export function createLinting({ rendering, examiner }: Pick<TemplateContext, 'rendering' | 'examiner'>) {
  return {
    /**
     * Lints a template filled with `data`, or else with sample data, whose own addresses are not checked. Undefined where it
     * exceeds a render limit with them, which running its fixtures reports. @throws Fault as `lintTemplate`
     */
    async lintFilled(
      asker: QueueCaller,
      resolved: ResolvedTemplate,
      data?: Data,
    ): Promise<LintReport | undefined> {
      const given = data ?? sampleData(resolved.variables);
      try {
        const mail = rendering.fill(resolved, given, { onMissing: 'fallback' });
        return await examiner.lint(mail, { samples: data ? [] : textsIn(given) }, asker);
      } catch (error) {
        if (error instanceof Fault && error.code === 'render_limit') return undefined;
        throw error;
      }
    },

    /**
     * Renders as `render` does, and with sample data when the input has neither data nor a fixture.
     * @throws Fault validation_failed for a rule or client that does not exist, and what rendering throws
     */
    async lintTemplate(accountId: string, input: RenderInput, options: LintOptions) {
      const { rendered, samples, weights } = await rendering.show(accountId, input);
      const asker = { accountId, signal: input.signal };
      const report = await examiner.lint(rendered, { ...options, samples, weights }, asker);
      return { report, rendered };
    },
  };
}
