import { SCOPES } from '../../../src/identity/caller.ts';
import type { Tool } from '../../../tools/contract/define.ts';
import { productRegistry } from '../../../tools/index.ts';
import { createCatalogue } from '../../../tools/mcp/catalog.ts';
import { answer } from '../../../tools/mcp/result.ts';

const usual = createCatalogue(productRegistry()).select([]);

type Answer = { readonly content?: unknown };

/** The one text block of an answer. */
export function textOf({ content }: Answer): string {
  const [block] = content as { type: string; text: string }[];
  return block?.text ?? '';
}

/** The id of the question that a refused call asks a model to put to its user. */
export function confirmationOf(answer: Answer & { readonly isError?: unknown }): string | undefined {
  return answer.isError ? /"(cnf_[\w-]+)"/.exec(textOf(answer))?.[1] : undefined;
}

const FENCE = /<(data-[0-9a-f]{16})>\n([\s\S]*)\n<\/\1>/;

/** What a text has between its marks, and what outside of them. */
export function partsOf(text: string): { data: string; said: string } {
  const [whole = '', , data = ''] = FENCE.exec(text) ?? [];
  return { data, said: text.replace(whole, '').trim() };
}

/** The output that an answer holds as text: JSON, with the longer texts below it. */
export function outputOf(answer: Answer): unknown {
  const text = textOf(answer);
  const mark = FENCE.exec(text)?.[1];
  const [head = '', ...below] = partsOf(text).data.split(new RegExp(`\n<${mark} of=`));
  const texts = below.map((part) => part.slice(part.indexOf('>\n') + 2));
  return JSON.parse(head, (_key, value: unknown) => (value === '(below)' ? texts.shift() : value));
}

/** What a model reads of a tool's output in the default list. */
export function toldOf(tool: Tool, output: unknown): string {
  const voice = usual.voiceFor({ caller: { scopes: SCOPES }, baseUrl: 'http://stallhand.test' });
  return textOf(answer(tool, output, { locale: 'en', voice, declared: false }));
}
