import { isObject, type Json, own } from '../engine/json.ts';
import { ITEM, type Ref, refOf } from '../engine/paths.ts';
import { presentVariables } from '../present.ts';
import type { Delivered } from './write-mail.ts';

/** A written mail as its caller gets it: the variables are those the template reads, with an example each. */
export function presentMail({ document, checked, sample, removed: _, ...rest }: Delivered) {
  const { html, css = '', text = '', subject = '', preheader = '', layout, schema } = document;
  const variables = presentVariables([...checked.variables]).map((variable) => {
    const example = valueAt(sample, refOf(variable.name));
    return { ...variable, ...(example !== undefined && { example }) };
  });
  const fields = {
    html,
    css,
    text,
    subject,
    preheader,
    ...(layout && { layout }),
    ...(schema && { schema }),
  };
  return { ...fields, variables, sample_data: sample, ...rest };
}

/** What stands at a place of the data; of a list, in its first item. */
function valueAt(value: Json | undefined, [first, ...rest]: Ref): Json | undefined {
  if (first === undefined) return value;
  if (first === ITEM) return Array.isArray(value) ? valueAt(value[0], rest) : undefined;
  return isObject(value) ? valueAt(own(value, first), rest) : undefined;
}
