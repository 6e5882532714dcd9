import type { FaultDetail } from '../../errors.ts';
import { localizeDetail, localizeFinding, localizeWarning, type Warning } from '../../language.ts';
import type { Finding } from '../lint/finding.ts';

/**
 * Something wrong with a written mail. With a `fatal` one it is never delivered, a `flaw` is delivered as a warning,
 * and a `finding` stands in the mail's lint as well.
 */
export type Problem =
  | { readonly kind: 'fatal'; readonly detail: FaultDetail }
  | { readonly kind: 'flaw'; readonly warning: Warning }
  | { readonly kind: 'finding'; readonly finding: Finding };

/** Problems a model is told at once: those after them are often the same mistake again. */
const TOLD = 20;

/** One problem as a model reads it, in English, whatever the caller speaks. */
type Told = {
  code: string;
  problem: string;
  field?: string;
  line?: number;
  col?: number;
  rendered_line?: number;
};

/** The first problems in words a model can act on. */
export function tellProblems(problems: readonly Problem[]): Told[] {
  return problems.slice(0, TOLD).map(tell);
}

function tell(problem: Problem): Told {
  switch (problem.kind) {
    case 'fatal': {
      const { loc, line, col, msg, type } = localizeDetail(problem.detail, 'en');
      return {
        field: String(loc.at(-1)),
        code: type,
        ...(line && { line }),
        ...(col && { col }),
        problem: msg,
      };
    }
    case 'flaw': {
      const { code, message } = localizeWarning(problem.warning, 'en');
      return { code, problem: message };
    }
    case 'finding': {
      const { rule, line, message, fix } = localizeFinding(problem.finding, 'en');
      return { code: rule, ...(line && { rendered_line: line }), problem: `${message} ${fix}` };
    }
  }
}
