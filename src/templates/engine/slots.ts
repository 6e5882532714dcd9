import type { ProgramNode } from './ast.ts';
import { partialName } from './ast.ts';
import { type Problem, problemAt } from './problem.ts';
import type { Field, TemplateKind } from './source.ts';

/** A layout must say where the content goes. */
export function findSlots(
  kind: TemplateKind,
  parsed: readonly { readonly field: Field; readonly program: ProgramNode }[],
): Problem[] {
  if (kind !== 'layout') return [];
  return parsed
    .filter(({ field, program }) => (field === 'html' || field === 'text') && !hasSlot(program))
    .map(({ field, program }) =>
      problemAt('template_invalid.slot_missing', field, program, { slot: '{{> @partial-block}}' }),
    );
}

function hasSlot(program: ProgramNode | undefined): boolean {
  if (!program) return false;
  return program.body.some((node) => {
    if (node.type === 'PartialStatement' || node.type === 'PartialBlockStatement') {
      if (partialName(node) === '@partial-block') return true;
    }
    const inner = 'program' in node && hasSlot(node.program);
    return inner || ('inverse' in node && hasSlot(node.inverse));
  });
}
