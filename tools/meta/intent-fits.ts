import type { Tool } from '../contract/define.ts';
import { type Concepts, createReader } from './concepts.ts';
import { OBJECTS, VERBS } from './lexicon.ts';

/** How well each tool does what a question wants done, to what it names; in the order of the tools. */
export type IntentFits = (question: string) => readonly number[];

// Beside what is said of a tool: its name.
const NAME = 2;
// What the number of things counts for: one is read with get, several with list.
const NUMBER = 0.25;
// How soon it counts for less that a tool's texts repeat what they say.
const REPEATED = 0.7;
// A question that says less than this is not trusted to have said all.
const LEAST_SAID = 1.5;

// What has been done is not what is wanted: 'I deleted it' asks for something else.
const readVerbs = createReader(VERBS, (word) => !/(ed|[ai]d[ao]s?|[éó])$/.test(word));
const readObjects = createReader(OBJECTS, (word) => !/ed$/.test(word));

/** Reads the verb and the object of each tool from its definition, so a new tool needs nothing for it. */
export function createIntentFits(tools: readonly Tool[]): IntentFits {
  const intents = tools.map(intentOf);
  return (question) => {
    const { verbs, objects } = asked(question);
    if (verbs.size + objects.size === 0) return tools.map(() => 0);
    return intents.map((tool) => likeness(verbs, tool.verbs) + likeness(objects, tool.objects));
  };
}

type Intent = { readonly verbs: Concepts; readonly objects: Concepts };

function asked(question: string): Intent {
  const { concepts: said } = readVerbs(question);
  const { concepts: objects, plural } = readObjects(question);
  const isReading = said.has('list') || said.has('get');
  if (!isReading && (said.size > 0 || objects.size === 0)) return { verbs: said, objects };
  const verb = plural ? 'list' : 'get';
  return { verbs: new Map([...said, [verb, (said.get(verb) ?? 0) + NUMBER]]), objects };
}

function intentOf({ name, title, description, toolset, keywords }: Tool): Intent {
  const [verb = '', ...object] = name.split('_');
  const [sentence = ''] = description.split(/(?<=[.:;])\s+/);
  const texts = [title, sentence, toolset, ...(keywords?.en ?? []), ...(keywords?.es ?? [])];
  return {
    verbs: sumOf([[verb, NAME], ...texts.map((text) => [text, 1] as const)], readVerbs),
    objects: sumOf([[object.join(' '), NAME], ...texts.map((text) => [text, 1] as const)], readObjects),
  };
}

function sumOf(texts: readonly (readonly [string, number])[], read: typeof readVerbs): Concepts {
  const sum = new Map<string, number>();
  for (const [text, weight] of texts)
    for (const [concept, share] of read(text).concepts)
      sum.set(concept, (sum.get(concept) ?? 0) + weight * share);
  return new Map([...sum].map(([concept, share]) => [concept, share ** REPEATED]));
}

/** The cosine of what a question and a tool say; less for a question that says little. */
function likeness(question: Concepts, tool: Concepts): number {
  const shared = [...question].reduce((sum, [concept, share]) => sum + share * (tool.get(concept) ?? 0), 0);
  return shared / (Math.max(LEAST_SAID, lengthOf(question)) * Math.max(1, lengthOf(tool)));
}

function lengthOf(concepts: Concepts): number {
  return Math.hypot(...concepts.values());
}
