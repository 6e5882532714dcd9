import { Fault, type FaultDetail } from '../../errors.ts';
import type { Warning } from '../../language.ts';
import type { QueueCaller } from '../../platform/fair-queue.ts';
import { type Checked, check } from '../check.ts';
import type { TemplateContext } from '../context.ts';
import { changeDocument } from '../document.ts';
import type { Variable } from '../engine/engine.ts';
import type { Examiner } from '../examiner/examiner.ts';
import type { Finding } from '../lint/finding.ts';
import type { LintReport } from '../lint/lint.ts';
import type { Plan } from '../plans.ts';
import type { Rendered } from '../rendering.ts';
import type { Data, Document, TemplateKind } from '../schema.ts';
import { isActiveCss } from './active-css.ts';
import { cleanMail } from './clean-mail.ts';
import { exampleData } from './example-data.ts';
import { extendSchema, forgetVariables } from './extend-schema.ts';
import { findFlaws, type Wish } from './find-flaws.ts';
import type { Problem } from './problem.ts';
import type { WrittenMail, WrittenVariable } from './written-mail.ts';

/** What a written mail is held against. */
export type Frame = {
  readonly accountId: string;
  readonly kind: TemplateKind;
  /** What the mail was made from: its layout and what its schema says are kept. */
  readonly base?: Document | undefined;
  /** Variables that senders provide already: the schema says of them what it said. */
  readonly known?: readonly Variable['name'][] | undefined;
  readonly wish: Wish;
  readonly locale?: string | undefined;
};

/** A mail that may be delivered. */
export type SoundMail = {
  readonly document: Document;
  readonly checked: Checked;
  readonly sample: Data;
  readonly lint: LintReport | undefined;
  /** What was taken out of what the model wrote. */
  readonly removed: readonly string[];
};

export type Assessment = {
  /** What was checked: the model's answer without what only had to be taken out. Lines and columns are those of it. */
  readonly answer: WrittenMail;
  readonly problems: readonly Problem[];
  /** There when no problem is fatal. */
  readonly mail?: SoundMail;
};

/**
 * Checks what a model wrote as if a stranger had sent it: takes out what runs, parses it, fills it with its examples
 * and lints the result.
 * @throws Fault only where the checks cannot be made, such as unavailable.compiler_busy
 */
export async function assess(
  context: TemplateContext,
  written: WrittenMail,
  frame: Frame,
): Promise<Assessment> {
  const { examiner } = context;
  const asker = { accountId: frame.accountId };
  let answer = written;
  try {
    const cleaned = await cleanMail(examiner, written, asker);
    answer = cleaned.answer;
    const { document, checked } = await declared(context, answer, frame);
    const sample = exampleData(checked.variables, answer.variables);
    const fill = (plan: Plan, data: Data) =>
      context.rendering.fill(plan, data, { locale: frame.locale, onMissing: 'fallback' });
    const rendered = fill(checked.plan, sample);
    const alone = ownPart(checked.plan);
    const active = await activeIn(
      examiner,
      asker,
      document,
      alone ? [fill(alone, sample), fill(alone, {})] : [],
    );
    if (active.length > 0) return { answer, problems: active.map(fatal) };
    const flaws = findFlaws(document, checked.variables, frame.wish);
    // A layout or a partial is no whole mail, and lint would blame it for what it does not hold.
    const report = frame.kind === 'template' ? await examiner.lint(rendered, {}, asker) : undefined;
    const broken = report?.findings.filter(({ severity }) => severity === 'error') ?? [];
    const problems = [...flaws.map(flaw), ...broken.map(finding)];
    return { answer, problems, mail: { document, checked, sample, lint: report, removed: cleaned.removed } };
  } catch (error) {
    if (!(error instanceof Fault) || error.status !== 422) throw error;
    return { answer, problems: detailsOf(error).map(fatal) };
  }
}

/** The document with a schema that names the types and descriptions of its own variables. */
async function declared(
  context: TemplateContext,
  mail: WrittenMail,
  { accountId, kind, base, known = [] }: Frame,
) {
  const { variables: written, ...fields } = mail;
  const schema = base && forgetVariables(base.schema, textOf(base), textOf(fields));
  const bare = changeDocument(base, { ...fields, schema: schema ?? {} });
  const read = await check(context, accountId, kind, bare);
  const told = new Map(written.map((one) => [one.name, one]));
  const additions = read.plan.composition.program.variables
    .filter(({ declared, name }) => !declared && !known.includes(name))
    .map((variable) => described(variable, told.get(variable.name)));
  const document = changeDocument(bare, { schema: extendSchema(schema, additions) });
  return { document, checked: await check(context, accountId, kind, document) };
}

/** How a variable is read says more of lists and objects, the model more of single values. */
function described(variable: Variable, written: WrittenVariable | undefined) {
  if (!written) return variable;
  const { type } = variable;
  const single = type === 'string' || type === 'any';
  const better = single && written.type !== 'array' && written.type !== 'object' ? written.type : type;
  return { ...variable, type: better, description: written.description };
}

/** The mail without its layout, which its model did not write. Undefined where parts of others stand inside it. */
function ownPart({ composition, ...plan }: Plan): Plan | undefined {
  if (composition.partials.size > 0 && composition.program.calls.length > 0) return undefined;
  return { ...plan, composition: { ...composition, layout: undefined } };
}

async function activeIn(
  { findActive }: Examiner,
  asker: QueueCaller,
  document: Document,
  rendered: readonly Rendered[],
): Promise<FaultDetail[]> {
  const found = await findActive(document.html, asker);
  const details = found.map(({ what, line, col }) => active('html', what, { line, col }));
  if (document.css !== undefined && isActiveCss(document.css)) details.push(active('css', 'css'));
  if (details.length > 0) return details;
  // Parts of a tag that stand in different branches come together only here.
  const filled = (await Promise.all(rendered.map(({ html }) => findActive(html, asker)))).flat();
  return [...new Set(filled.map(({ what }) => what))].map((what) => active('html', what));
}

function active(field: string, what: string, place: { line?: number; col?: number } = {}): FaultDetail {
  return { loc: ['answer', field], key: 'provider_bad_output.active', params: { what, field }, ...place };
}

function detailsOf({ key, params, errors }: Fault): readonly FaultDetail[] {
  if (errors.length === 0) return [{ loc: ['answer', 'html'], key, params }];
  return errors.map((detail) => ({ ...detail, loc: ['answer', ...detail.loc.slice(1)] }));
}

const fatal = (detail: FaultDetail): Problem => ({ kind: 'fatal', detail });
const finding = (one: Finding): Problem => ({ kind: 'finding', finding: one });
const flaw = (warning: Warning): Problem => ({ kind: 'flaw', warning });

function textOf({ html, subject, preheader, text }: Partial<Document>): string {
  return [html, subject, preheader, text].join('\n');
}
