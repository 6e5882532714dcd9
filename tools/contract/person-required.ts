import { Fault } from '../../src/errors.ts';
import type { Call, Tool } from './define.ts';

/** The refusal of a model that calls a dangerous operation: it gets the address of the page where a person does it. */
export function personRequired({ name, dangerous }: Tool, { baseUrl }: Pick<Call, 'baseUrl'>): Fault {
  const url = `${baseUrl}${dangerous?.page ?? '/'}`;
  return new Fault(dangerous?.told ?? 'person_required.model', { tool: name, url }, { data: { url } });
}
