import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** What a client gives its model of one answer. */
export type Seen = { readonly text: string; readonly pictures: number; readonly links: number };

export type Answer = {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly isError?: unknown;
};

type Block = {
  readonly type: string;
  readonly text?: string;
  readonly resource?: { readonly text?: string };
};

const seenOf = (blocks: readonly Block[], text: string): Seen => ({
  text,
  pictures: blocks.filter(({ type }) => type === 'image').length,
  links: blocks.filter(({ type }) => type === 'resource_link' || type === 'resource').length,
});

function blocksOf({ content }: Answer): readonly Block[] {
  return content as Block[];
}

function textsOf(blocks: readonly Block[]): string[] {
  return blocks.flatMap(({ text, resource }) => [text, resource?.text].filter((one) => one !== undefined));
}

/** Gemini CLI, opencode: content, and never what is structured. */
export function textOnly(answer: Answer): Seen {
  const blocks = blocksOf(answer);
  return seenOf(blocks, textsOf(blocks).join('\n'));
}

/** Codex, Claude Code: what is structured alone, where there is any; else content. */
function structuredIfPresent(answer: Answer): Seen {
  if (answer.structuredContent === undefined) return textOnly(answer);
  return seenOf([], JSON.stringify(answer.structuredContent));
}

/** Copilot CLI: content, then what is structured. */
function both(answer: Answer): Seen {
  const blocks = blocksOf(answer);
  const more = answer.structuredContent === undefined ? [] : [JSON.stringify(answer.structuredContent)];
  return seenOf(blocks, [...textsOf(blocks), ...more].join('\n'));
}

/** The three ways in which the leading clients pass an answer on, as they were seen to. */
export const CLIENT_RULES = [
  ['text', textOnly],
  ['structured', structuredIfPresent],
  ['both', both],
] as const satisfies readonly (readonly [string, (answer: Answer) => Seen])[];

const FENCES = [
  /<(data-[0-9a-f]{16})>\n[\s\S]*\n<\/\1>/g,
  /\{"<(data-[0-9a-f]{16})>":[\s\S]*"~<\/\1>":"[^"]*"\}/g,
] as const;

/** What stands outside of every mark, where a model may take it for the server's own words. */
export function outsideOf(text: string): string {
  return FENCES.reduce((rest, fence) => rest.replace(fence, ''), text).trim();
}

export const hasFence = (text: string) => FENCES.some((fence) => text.search(fence) !== -1);

export const bytesOf = (text: string) => Buffer.byteLength(text);

/** The random part of an id, of a mark and of a link. */
const RANDOM = /(?=[A-Za-z]*\d)[0-9A-Za-z]{12,}/g;
/** Has 17 tokens, as most ids do. */
const IN_ITS_PLACE = '1m8j00j3fme9hrqc9vtpv4';

/** Tokens as o200k counts them, with the same characters in place of all random ones: the same in every run. */
export const tokensOf = (text: string): number =>
  countTokens(text.replace(RANDOM, ({ length }) => IN_ITS_PLACE.repeat(4).slice(0, length)));
