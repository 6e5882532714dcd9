import fc from 'fast-check';
import { type DefaultTreeAdapterMap, parse } from 'parse5';
import { expect, it } from 'vitest';
import { Fault } from '../../../src/errors.ts';
import type { Program } from '../../../src/templates/engine/engine.ts';
import { samples } from '../../support/samples.ts';
import { html, prepared } from './prepared.ts';

type Node = DefaultTreeAdapterMap['node'];

const PIECES =
  '<p |title="|"|\'|>| |<script>|</script>|<style>|</style|<!--|-->|<!|--!>|<!--[if mso]>|<![endif]-->|<a href="|<a href=\'|javascript:|data:|https://| onclick="|<textarea>|</textarea>|<title>|</title >|=|/|<|</p>|</| class=x |text|&quot;|?|!|-|<svg>|</svg>|<iframe>|</iframe>|<td background=\'|<math>|<foreignObject>|<select>|</select>|<noscript>|</noscript>|<![CDATA[|]]>|<xmp>|</xmp>|<table>|<template>|\u00a0|\f|<div>|</div>|<desc>|<mi>|<plaintext>'.split(
    '|',
  );
const HOSTILE = [
  '"><script>e()</script>',
  "' onx=e() '",
  '--><b>',
  '</style></title></textarea></script><b>',
  ' onx=e()',
  '`=<!--',
  ']]>',
  ']]',
  '-',
  '--',
  '--!',
  '[if mso]',
];

const fixed = fc.constantFrom(...PIECES);
const { source } = fc.letrec<{ source: string; part: string }>((tie) => ({
  source: fc.array(tie('part'), { maxLength: 9 }).map((parts) => parts.join('')),
  part: fc.oneof(
    { weight: 6, arbitrary: fixed },
    { weight: 3, arbitrary: fc.constant('{{x}}') },
    {
      weight: 1,
      arbitrary: fc.tuple(tie('source'), tie('source')).map(([a, b]) => `{{#if y}}${a}{{else}}${b}{{/if}}`),
    },
    { weight: 1, arbitrary: tie('source').map((a) => `{{#each z}}${a}{{/each}}`) },
  ),
}));

it('keeps every accepted page the same, whatever its values try to add to it', () => {
  const numRuns = samples(4000);
  let accepted = 0;
  fc.assert(
    fc.property(source, fc.boolean(), fc.constantFrom(...HOSTILE), (template, y, x) => {
      const program = accept(template);
      if (!program?.variables.some(({ name }) => name === 'x')) return;
      accepted++;
      const page = (value: string) =>
        skeleton(parse(`<body>${html(program, { x: value, y, z: [{ x: value }, { x: value }] })}`));
      expect(page(x)).toEqual(page('value'));
    }),
    { numRuns },
  );
  expect(accepted).toBeGreaterThan(numRuns / 8);
});

function accept(template: string): Program | null {
  try {
    return prepared(template);
  } catch (error) {
    expect(error).toBeInstanceOf(Fault);
    return null;
  }
}

/** Elements, attribute names, and all that runs: scripts, styles and event handlers. */
function skeleton(node: Node): unknown {
  if (!('childNodes' in node)) return [];
  const own =
    'tagName' in node
      ? [
          node.tagName,
          ...node.attrs.map(({ name, value }) => (name.startsWith('on') ? `${name}=${value}` : name)),
        ]
      : [];
  const runs = node.nodeName === 'script' || node.nodeName === 'style';
  const texts = runs ? node.childNodes.map((child) => ('value' in child ? child.value : '')) : [];
  const inner = node.childNodes.map(skeleton).filter((one) => Array.isArray(one) && one.length > 0);
  return [...own, ...texts, ...inner];
}
