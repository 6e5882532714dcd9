import type { Prompts } from '../../ai/prompts.ts';
import { helperDocs } from '../engine/engine.ts';
import type { Document } from '../schema.ts';
import type { tellProblems } from './problem.ts';

/** What the mail in question is, as far as it changes what a model is told. */
type Circumstances = {
  /** Whether a layout stands around the mail. */
  readonly framed: boolean;
  readonly kind?: string;
  readonly format?: Document['format'] | undefined;
};

/** What models are told to write mails, change them and mend them. Nothing a caller sends becomes part of these texts. */
export function createMailPrompts(prompts: Prompts) {
  return {
    instructions(
      name: 'generate-template' | 'edit-template',
      { framed, kind = 'template', format }: Circumstances,
    ): string {
      const rules = prompts.fill('mail-rules', { framed, mjml: format === 'mjml', helpers: helperDocs });
      return prompts.fill(name, { framed, rules, isTemplate: kind === 'template', kind });
    },

    repair(problems: ReturnType<typeof tellProblems>): string {
      return prompts.fill('repair', { problems: JSON.stringify(problems, null, 1) });
    },
  };
}
